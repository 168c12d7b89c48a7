/**
 * Reads the JSON body of a call, and no more of it than is allowed.
 *
 * The body alone decides whether it is JSON, whatever `Content-Type` says: what a
 * foreign page can make a browser send is refused by where it comes from
 * (`caller.ts`), not by a header that it may choose.
 */
import { Fault } from "../faults.ts";

/** Bytes. */
const BODY_MAX = 1024 * 1024;

/**
 * The JSON object in the body. Throws a `Fault`: `TOO_LARGE` over 1 MiB (as soon as
 * that is known), `BAD_REQUEST` when it is no JSON, `INVALID_INPUT` when it is JSON
 * but no object. An empty body is `{}` where `optional`.
 */
export async function readBody(
  request: Request,
  optional: boolean,
): Promise<Readonly<Record<string, unknown>>> {
  const text = decode(await readBytes(request));
  if (optional && text.trim() === "") return {};
  const value = parse(text);
  if (isObject(value)) return value;
  throw new Fault("INVALID_INPUT", "The body must be a JSON object.");
}

/**
 * The body as it is. Throws a `Fault`: `TOO_LARGE` over 1 MiB,
 * `BAD_REQUEST` when it breaks off.
 */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length") ?? 0) > BODY_MAX) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > BODY_MAX) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault("BAD_REQUEST", "The body could not be read to its end.");
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw notJson("it is not UTF-8");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(text.trim() === "" ? "it is empty" : "it cannot be parsed");
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notJson(why: string): Fault {
  return new Fault("BAD_REQUEST", `The body must be JSON, but ${why}.`);
}

function tooLarge(): Fault {
  return new Fault("TOO_LARGE", `The body is too large: ${BODY_MAX} bytes (1 MiB) is the most.`);
}
