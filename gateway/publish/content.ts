/**
 * The content of a published version as bytes: packed, cut into pieces that fit
 * the store, and with a digest that tells whether all of it came back.
 */
import type { Backend } from "../records/backend.ts";
import type { WebsiteBackend } from "../records/website.ts";

/** What is drafted, or published; each in the order of `created_order`. */
export interface Content {
  readonly backends: readonly Backend[];
  readonly website_backends: readonly WebsiteBackend[];
}

export const noContent: Content = { backends: [], website_backends: [] };

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
export async function packContent(
  { backends, website_backends }: Content,
): Promise<PackedContent> {
  const text = new Blob([JSON.stringify({ backends, website_backends })]);
  const packed = await bytesOf(text.stream().pipeThrough(new CompressionStream("gzip")));
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < packed.length; at += PIECE_BYTES) {
    pieces.push(packed.slice(at, at + PIECE_BYTES));
  }
  return { pieces, digest: await digestOf(packed) };
}

/** Throws {@linkcode DamagedContent} unless the pieces are all there and as they were. */
export async function unpackContent({ pieces, digest }: PackedContent): Promise<Content> {
  const packed = new Blob([...pieces]);
  if (await digestOf(await packed.bytes()) !== digest) {
    throw new DamagedContent(`its ${pieces.length} pieces do not have the digest ${digest}`);
  }
  const text = await bytesOf(packed.stream().pipeThrough(new DecompressionStream("gzip")));
  const content = JSON.parse(new TextDecoder().decode(text)) as Content | Backend[]; // as packed
  // A version from before there were websites is a list of API backends.
  return Array.isArray(content) ? { ...noContent, backends: content } : content;
}

function bytesOf(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Response(stream).bytes();
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
