import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { ChunkedDecoder } from "./chunked_decoder.ts";

/** What becomes of `pieces`, each decoded in the middle of a buffer. */
function decode(...pieces: string[]) {
  const decoder = new ChunkedDecoder();
  let content = "";
  for (const piece of pieces) {
    const bytes = Buffer.from(`before${piece}after`, "latin1");
    const length = decoder.decode(bytes, 6, 6 + piece.length);
    assert.equal(bytes.toString("latin1", 0, 6), "before");
    assert.equal(bytes.toString("latin1", 6 + piece.length), "after");
    content += bytes.toString("latin1", 6, 6 + length);
  }
  return { content, done: decoder.done, surplus: decoder.surplus };
}

Deno.test("chunks are put together", () => {
  assert.deepEqual(decode("5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n"), {
    content: "hello, world",
    done: true,
    surplus: 0,
  });
});

Deno.test("a body without its last chunk is not done", () => {
  assert.equal(decode("5\r\nhello\r\n").done, false);
  assert.equal(decode("5\r\nhello\r\n0\r\n").done, false);
  assert.equal(decode("5\r\nhello\r\n0\r\nA: b\r\n").done, false);
});

Deno.test("bytes after the last chunk are counted as surplus", () => {
  assert.equal(decode("0\r\n\r\nHTTP/1.1 200 OK").surplus, 15);
});

Deno.test("what may stand around a size and after the last chunk is skipped", () => {
  for (
    const body of [
      "000005\r\nhello\r\n0000\r\n\r\n",
      "5;a\r\nhello\r\n0;b=c\r\n\r\n",
      '5 ;a="x;y"\r\nhello\r\n0\t; b\r\n\r\n',
      "5\r\nhello\r\n0\r\nA: b\r\nC:d\r\n\r\n",
    ]
  ) assert.deepEqual(decode(body), { content: "hello", done: true, surplus: 0 }, body);
  assert.equal(decode("a\r\n0123456789\r\nB\r\n0123456789a\r\n0\r\n\r\n").content.length, 21);
});

for (
  const [body, message] of [
    ["\r\nhello", /chunk without a size/],
    [" 5\r\nhello", /chunk without a size/],
    ["-5\r\nhello", /chunk without a size/],
    ["g\r\nhello", /chunk without a size/],
    ["5g\r\nhello", /invalid chunk size line/],
    ["5 \r\nhello", /invalid chunk size line/],
    ["5 5\r\nhello", /invalid chunk size line/],
    ["5\nhello", /invalid chunk size line/],
    ["5;a\nhello", /invalid chunk size line/],
    ["5;\0\r\nhello", /invalid chunk size line/],
    ["5\rhello", /size line not ended by CRLF/],
    ["5;a\rb\r\nhello", /size line not ended by CRLF/],
    ["20000000000000\r\n", /chunk size too large/],
    [`5;${"x".repeat(5000)}`, /chunk extension that is too large/],
    ["5\r\nhello!\r\n", /chunk longer than its size/],
    ["5\r\nhello\n0\r\n\r\n", /chunk longer than its size/],
    ["5\r\nhello\r0\r\n\r\n", /chunk not ended by CRLF/],
    ["0\r\nA: b\n\r\n", /bare LF/],
    ["0\r\n\n", /bare LF/],
    ["0\r\nA : b\r\n\r\n", /malformed trailers/],
    ["0\r\n A: b\r\n\r\n", /malformed trailers/],
    ["0\r\nA\r\n\r\n", /malformed trailers/],
    [`0\r\nA: ${"x".repeat(70_000)}`, /trailers that are too large/],
  ] as const
) {
  Deno.test(`the chunked body ${JSON.stringify(body.slice(0, 20))} is refused`, () => {
    assert.throws(() => decode(body), { name: "ProtocolError", message });
    assert.throws(() => decode(...body), { name: "ProtocolError", message });
  });
}

Deno.test("however chunks are made and cut into reads, the content is the same", () => {
  const content = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 50 });
  const piece = fc.tuple(content, fc.constantFrom("", ";a", " ;b=c"));
  fc.assert(fc.property(
    fc.array(piece, { maxLength: 6 }),
    fc.array(fc.nat(400), { maxLength: 8 }),
    (pieces, places) => {
      const chunks = pieces.map(([text, extension]) =>
        `${text.length.toString(16)}${extension}\r\n${text}\r\n`
      );
      const body = `${chunks.join("")}0\r\n\r\n`;
      const cuts = [0, ...places.map((place) => place % body.length).sort((a, b) => a - b)];
      const reads = cuts.map((from, index) => body.slice(from, cuts[index + 1]));
      const whole = pieces.map(([text]) => text).join("");
      assert.deepEqual(decode(...reads), { content: whole, done: true, surplus: 0 });
    },
  ));
});
