import assert from "node:assert/strict";
import { brotliDecompressSync, createGzip, gunzipSync, gzipSync } from "node:zlib";
import { GUNZIPPED_MAX, recodeStream, recodeWhole, type StreamEvents } from "./coder.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const text = "the same line, again and again\n".repeat(400);
const plain = encoder.encode(text);
const unpacked = { gzip: gunzipSync, br: brotliDecompressSync };

/** A body that arrives as it is told to, and says whether it was cancelled. */
class Source {
  cancelled = false;
  /** Pieces that were asked for. */
  pulls = 0;
  readonly #pieces: Bytes[];
  constructor(pieces: Bytes[], readonly whenEmpty: "end" | "wait" | "fail" = "end") {
    this.#pieces = pieces;
  }

  readonly stream: ReadableStream<Bytes> = new ReadableStream<Bytes>({
    pull: (controller) => {
      this.pulls++;
      const piece = this.#pieces.shift();
      if (piece !== undefined) controller.enqueue(piece);
      else if (this.whenEmpty === "end") controller.close();
      else if (this.whenEmpty === "fail") controller.error(new Error("cut short"));
    },
    cancel: () => {
      this.cancelled = true;
    },
  }, { highWaterMark: 0 });
}

class Told implements StreamEvents {
  bytes = 0;
  readonly ends: string[] = [];
  passed(count: number) {
    this.bytes += count;
  }
  ended(how: string) {
    this.ends.push(how);
  }
}

async function joined(stream: ReadableStream<Bytes>): Promise<Bytes> {
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function random(length: number): Bytes {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  }
  return bytes;
}

for (const coding of ["gzip", "br"] as const) {
  Deno.test(`a whole body is compressed with ${coding}`, () => {
    const coded = recodeWhole(plain, coding);
    assert.ok(coded !== null && coded.length < plain.length / 5);
    assert.equal(unpacked[coding](coded).toString(), text);
  });

  Deno.test(`a stream is compressed with ${coding}, its length counted, its end told once`, async () => {
    const told = new Told();
    const pieces = [plain.slice(0, 5000), plain.slice(5000, 5001), plain.slice(5001)];
    const coded = await joined(recodeStream(new Source(pieces).stream, coding, told));
    assert.equal(unpacked[coding](coded).toString(), text);
    assert.equal(told.bytes, coded.length);
    assert.deepEqual(told.ends, ["complete"]);
  });

  Deno.test(`each piece of a slow stream is there in ${coding} before the next one comes`, async () => {
    const source = new Source([encoder.encode("first"), encoder.encode("second")], "wait");
    const reader = recodeStream(source.stream, coding, new Told()).getReader();
    const inner = coding === "gzip" ? "gzip" : "brotli";
    const decoder = new DecompressionStream(inner);
    const writer = decoder.writable.getWriter();
    const read = decoder.readable.pipeThrough(new TextDecoderStream()).getReader();
    for (const expected of ["first", "second"]) {
      const { value } = await reader.read();
      assert.ok(value !== undefined);
      writer.write(value);
      assert.equal((await read.read()).value, expected);
    }
    await reader.cancel();
    await read.cancel();
  });
}

Deno.test("a body in gzip is decompressed, whole and streamed, in several members too", async () => {
  const packed = new Uint8Array([...gzipSync(text.slice(0, 99)), ...gzipSync(text.slice(99))]);
  assert.deepEqual(new TextDecoder().decode(recodeWhole(packed, "gunzip") ?? undefined), text);
  const pieces = Array.from(packed, (byte) => new Uint8Array([byte]));
  const stream = recodeStream(new Source(pieces).stream, "gunzip", new Told());
  assert.equal(new TextDecoder().decode(await joined(stream)), text);
});

Deno.test("each piece of a slow stream in gzip is there, plain, before the next one comes", async () => {
  const packer = createGzip();
  const pieces: Bytes[] = [];
  packer.on("data", (piece: Bytes) => pieces.push(piece));
  for (const piece of ["first", "second"]) {
    packer.write(piece);
    await new Promise<void>((resolve) => packer.flush(() => resolve()));
  }
  packer.destroy();
  const reader = recodeStream(new Source(pieces, "wait").stream, "gunzip", new Told())
    .pipeThrough(new TextDecoderStream()).getReader();
  assert.equal((await reader.read()).value, "first");
  assert.equal((await reader.read()).value, "second");
  await reader.cancel();
});

Deno.test("what would become too large at once is left to a stream, which holds little of it", async () => {
  const packed = new Uint8Array(gzipSync(new Uint8Array(64 * GUNZIPPED_MAX)));
  assert.equal(recodeWhole(packed, "gunzip"), null);
  const told = new Told();
  const reader = recodeStream(new Source([packed]).stream, "gunzip", told).getReader();
  let most = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    most = Math.max(most, read.value.length);
  }
  assert.equal(told.bytes, 64 * GUNZIPPED_MAX);
  assert.ok(most <= 65_536, `a piece of ${most} bytes`);
});

Deno.test("a broken body in gzip fails, and nobody goes on to ask for it", async () => {
  assert.throws(() => recodeWhole(plain, "gunzip"));
  assert.throws(() => recodeWhole(new Uint8Array(gzipSync(text)).slice(0, -9), "gunzip"));
  const source = new Source([plain, plain, plain], "wait");
  const told = new Told();
  await assert.rejects(joined(recodeStream(source.stream, "gunzip", told)));
  assert.equal(source.cancelled, true);
  assert.deepEqual(told.ends, ["aborted"]);
  const short = new Source([new Uint8Array(gzipSync(text)).slice(0, -9)]);
  await assert.rejects(joined(recodeStream(short.stream, "gunzip", new Told())));
});

Deno.test("a stream that fails on the way fails for its reader as well", async () => {
  const told = new Told();
  const source = new Source([plain], "fail");
  await assert.rejects(joined(recodeStream(source.stream, "gzip", told)), /cut short/);
  assert.deepEqual(told.ends, ["aborted"]);
});

Deno.test("a reader that leaves while nothing comes ends the stream it was reading", async () => {
  const source = new Source([encoder.encode("first")], "wait");
  const told = new Told();
  const reader = recodeStream(source.stream, "br", told).getReader();
  await reader.read();
  const waiting = reader.read();
  await reader.cancel();
  assert.equal((await waiting).done, true);
  assert.equal(source.cancelled, true);
  assert.deepEqual(told.ends, ["aborted"]);
});

Deno.test("a slow reader holds the stream back", async () => {
  const pieces = Array.from({ length: 100 }, () => random(65_536));
  const source = new Source(pieces, "end");
  const reader = recodeStream(source.stream, "gzip", new Told()).getReader();
  await reader.read();
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(source.pulls < 10, `${source.pulls} pieces were taken in`);
  await reader.cancel();
});
