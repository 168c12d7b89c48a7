import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { BINARY, clientFrame, closeContent, isCloseCode, TEXT } from "./websocket_frame.ts";

/** Header without mask, mask, and content with the mask taken off. */
function takenApart(frame: Uint8Array, headerBytes: number) {
  const mask = frame.slice(headerBytes, headerBytes + 4);
  const content = frame.slice(headerBytes + 4).map((byte, i) => byte ^ mask[i % 4]!);
  return { header: [...frame.subarray(0, headerBytes)], mask: [...mask], content };
}

Deno.test("a frame announces its length in as few bytes as hold it, and is masked", () => {
  const cases: [length: number, header: number[]][] = [
    [0, [0x82, 0x80]],
    [125, [0x82, 0x80 | 125]],
    [126, [0x82, 0xfe, 0, 126]],
    [65_535, [0x82, 0xfe, 0xff, 0xff]],
    [65_536, [0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 0]],
  ];
  for (const [length, header] of cases) {
    const content = crypto.getRandomValues(new Uint8Array(length));
    const frame = takenApart(clientFrame(BINARY, content), header.length);
    assert.deepEqual(frame.header, header);
    assert.deepEqual(frame.content, content);
  }
});

Deno.test("every frame has a mask of its own, and leaves its content as it was", () => {
  const content = Buffer.from("the same");
  const masks = Array.from(
    { length: 3000 },
    () => takenApart(clientFrame(TEXT, content), 2).mask.join(),
  );
  assert.ok(new Set(masks).size > 2990, "masks repeat");
  assert.equal(content.toString(), "the same");
});

Deno.test("a Close holds its code, and as much of the reason as fits", () => {
  assert.deepEqual(closeContent({ code: null, reason: "unsaid" }), new Uint8Array());
  assert.deepEqual([...closeContent({ code: 4001, reason: "é" })], [0x0f, 0xa1, 0xc3, 0xa9]);
  const long = closeContent({ code: 1000, reason: "é".repeat(100) });
  assert.equal(long.length, 2 + 122); // no half of a character
});

Deno.test("codes that a Close may carry are those of the protocol, and 3000 to 4999", () => {
  const codes = Array.from({ length: 6000 }, (_, code) => code).filter(isCloseCode);
  const own = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014];
  assert.deepEqual(codes.filter((code) => code < 3000), own);
  assert.deepEqual(codes.filter((code) => code >= 3000).length, 2000);
});
