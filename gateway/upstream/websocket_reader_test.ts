import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { type FrameOptions, serverFrame } from "./testing/websocket_server.ts";
import { BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT } from "./websocket_frame.ts";
import { type Received, WebSocketReader } from "./websocket_reader.ts";

const LIMIT = 1_048_576;
const NOTHING = new Uint8Array();

/**
 * All that a reader makes of `bytes` when they come in pieces of the
 * given sizes, over and over.
 */
function readAll(bytes: Uint8Array, sizes: readonly number[] = [bytes.length]): unknown[] {
  const reader = new WebSocketReader(LIMIT, NOTHING);
  const buffer = new Uint8Array(Math.max(...sizes, 1)); // the same for each read
  const all: unknown[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const piece = bytes.subarray(at, at + (sizes[turn % sizes.length] ?? 1));
    buffer.set(piece);
    reader.add(buffer.subarray(0, piece.length));
    at += piece.length;
    for (let next = reader.next(); next !== null; next = reader.next()) all.push(kept(next));
  }
  return all;
}

/** What is received, with its bytes copied as text. */
function kept(received: Received): unknown {
  if (received.kind === "binary") return { binary: Buffer.from(received.bytes).toString("hex") };
  if (received.kind === "ping") return { ping: Buffer.from(received.content).toString() };
  if (received.kind === "text") return received.text;
  return received.kind === "close" ? received.closing : received.kind;
}

function together(...frames: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(frames));
}

Deno.test("messages are put together of their fragments, with control frames in between", () => {
  const bytes = together(
    serverFrame(TEXT, "one"),
    serverFrame(TEXT, new Uint8Array([0xe2]), { isFinal: false }),
    serverFrame(PING, "still there?"),
    serverFrame(CONTINUATION, "", { isFinal: false }),
    serverFrame(CONTINUATION, new Uint8Array([0x82, 0xac])), // of "€", which was cut through
    serverFrame(BINARY, new Uint8Array([0, 255]), { isFinal: false }),
    serverFrame(PONG, "unasked"),
    serverFrame(CONTINUATION, new Uint8Array([1])),
    serverFrame(TEXT),
    serverFrame(BINARY, new Uint8Array(70_000)),
    serverFrame(CLOSE, new Uint8Array([0x0f, 0xa1, 0x62, 0x79, 0x65])),
  );
  const expected = [
    "one",
    { ping: "still there?" },
    "€",
    "pong",
    { binary: "00ff01" },
    "",
    { binary: "00".repeat(70_000) },
    { code: 4001, reason: "bye" },
  ];
  assert.deepEqual(readAll(bytes), expected);
  assert.deepEqual(readAll(bytes, [1]), expected);
});

Deno.test("how bytes are cut into reads changes nothing", () => {
  const frame = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }).map((text) => serverFrame(TEXT, text)),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => serverFrame(BINARY, bytes)),
    fc.uint8Array({ maxLength: 125 }).map((bytes) => serverFrame(PING, bytes)),
    fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 5 }).map(fragments),
  );
  const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 });
  fc.assert(fc.property(fc.array(frame), sizes, (frames, sizes) => {
    const bytes = together(...frames);
    assert.deepEqual(readAll(bytes, sizes), readAll(bytes));
  }));
});

function fragments(contents: Uint8Array[]): Uint8Array {
  return together(
    ...contents.map((content, i) =>
      serverFrame(i === 0 ? BINARY : CONTINUATION, content, {
        isFinal: i === contents.length - 1,
      })
    ),
  );
}

Deno.test("what has come with the head of the answer is read first", () => {
  const reader = new WebSocketReader(LIMIT, serverFrame(TEXT, "at once"));
  assert.deepEqual(reader.next(), { kind: "text", text: "at once", size: 7 });
  assert.equal(reader.next(), null);
});

Deno.test("a byte order mark at the beginning of a text is part of it", () => {
  assert.deepEqual(readAll(serverFrame(TEXT, "\ufeffx")), ["\ufeffx"]);
});

const half: FrameOptions = { isFinal: false };
const bytes = (...values: number[]) => new Uint8Array(values);

/** Each with the code to close with and what is said of it. */
const broken: Record<string, [frames: Uint8Array, code: number, message: RegExp]> = {
  "a masked frame": [serverFrame(TEXT, "x", { isMasked: true }), 1002, /masks/],
  "a reserved bit": [serverFrame(TEXT, "x", { reserved: 4 }), 1002, /reserved bits/],
  "a reserved opcode for content": [serverFrame(3, "x"), 1002, /reserved opcode 3/],
  "a reserved opcode for control": [serverFrame(11), 1002, /reserved opcode 11/],
  "a control frame that is too large": [serverFrame(PING, "x".repeat(126)), 1002, /large/],
  "a control frame in fragments": [serverFrame(PING, "x", half), 1002, /in fragments/],
  "a continuation of nothing": [serverFrame(CONTINUATION, "x"), 1002, /goes on with none/],
  "a message within another": [
    together(serverFrame(TEXT, "x", half), serverFrame(TEXT, "y")),
    1002,
    /begins a message in another/,
  ],
  "text that is no UTF-8": [serverFrame(TEXT, bytes(0xff)), 1007, /no UTF-8/],
  "text that ends within a character": [serverFrame(TEXT, bytes(0xe2, 0x82)), 1007, /no UTF-8/],
  "a surrogate in text": [serverFrame(TEXT, bytes(0xed, 0xa0, 0x80)), 1007, /no UTF-8/],
  "half a close code": [serverFrame(CLOSE, bytes(3)), 1002, /half a code/],
  "a close code that none may send": [serverFrame(CLOSE, bytes(3, 237)), 1002, /code 1005/],
  "a close code that is none": [serverFrame(CLOSE, bytes(0, 0)), 1002, /code 0/],
  "a reason that is no UTF-8": [serverFrame(CLOSE, bytes(3, 232, 0xff)), 1007, /no UTF-8/],
  "a message beyond the limit": [
    serverFrame(BINARY, "", { length: BigInt(LIMIT + 1) }),
    1009,
    /more than 1 MiB/,
  ],
  "a message beyond the limit in fragments": [
    together(serverFrame(TEXT, "x", half), serverFrame(0, "", { length: BigInt(LIMIT) })),
    1009,
    /more than 1 MiB/,
  ],
  "a length beyond all numbers": [
    serverFrame(BINARY, "", { length: 2n ** 64n - 1n }),
    1009,
    /more/,
  ],
};

for (const [what, [frames, code, message]] of Object.entries(broken)) {
  Deno.test(`${what} is refused with ${code}`, () => {
    for (const sizes of [[frames.length], [1]]) {
      assert.throws(() => readAll(frames, sizes), { name: "WebSocketError", code, message });
    }
  });
}

Deno.test("a message of the limit's size is taken", () => {
  const [first] = readAll(serverFrame(TEXT, "x".repeat(LIMIT)), [65_536]);
  assert.equal(String(first).length, LIMIT);
});
