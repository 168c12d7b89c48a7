/**
 * The content of a published version as bytes: packed, cut into pieces that fit
 * the store, and with a digest that tells whether all of it came back.
 */
import type { Backend } from "../records/backend.ts";

/** Bytes in one value of the store; its limit is 64 KiB with the encoding around them. */
const PIECE_BYTES = 60 * 1024;

export interface PackedContent {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  /** SHA-256 over all pieces, in hexadecimal. */
  readonly digest: string;
}

/** What came back from the store is not what was put there. */
export class DamagedContent extends Error {
  override readonly name = "DamagedContent";
}

/** gzip, since thousands of backends look much alike: a tenth of the bytes. */
export async function packContent(backends: readonly Backend[]): Promise<PackedContent> {
  const text = new Blob([JSON.stringify(backends)]);
  const packed = await bytesOf(text.stream().pipeThrough(new CompressionStream("gzip")));
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < packed.length; at += PIECE_BYTES) {
    pieces.push(packed.slice(at, at + PIECE_BYTES));
  }
  return { pieces, digest: await digestOf(packed) };
}

/** Throws {@linkcode DamagedContent} unless the pieces are all there and as they were. */
export async function unpackContent({ pieces, digest }: PackedContent): Promise<Backend[]> {
  const packed = new Blob([...pieces]);
  if (await digestOf(await packed.bytes()) !== digest) {
    throw new DamagedContent(`its ${pieces.length} pieces do not have the digest ${digest}`);
  }
  const text = await bytesOf(packed.stream().pipeThrough(new DecompressionStream("gzip")));
  return JSON.parse(new TextDecoder().decode(text)) as Backend[]; // just as it was packed
}

function bytesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Response(stream).bytes();
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
