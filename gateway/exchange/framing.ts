/**
 * A request's body and its length, read once out of the framing that the client
 * announced. What is forwarded is framed anew by this alone, so an announcement that
 * can be read in two ways is refused: where two servers differ about the end of a
 * request, a second one can be hidden in the first.
 */
import { BadRequest } from "./bad_request.ts";

export interface RequestBody {
  /** Null when the request has none. */
  readonly stream: ReadableStream<Uint8Array> | null;
  /** Bytes that the client announced; null when it announced none (chunks, HTTP/2, or no body). */
  readonly length: number | null;
}

/** Content-Length is 1*DIGIT (RFC 9110 §8.6); 15 of them are exact in a number. */
const LENGTH = /^\d{1,15}$/;

/** @param scheme the connection's; over plain HTTP there is no HTTP/2 */
export function framedBody(
  request: Pick<Request, "headers" | "body">,
  scheme: "http" | "https",
): RequestBody | BadRequest {
  const announced = request.headers.get("content-length");
  const coding = request.headers.get("transfer-encoding");
  // Two equal ones arrive joined, and RFC 9112 §6.3 leaves it to us to refuse them.
  if (announced !== null && !LENGTH.test(announced)) {
    return new BadRequest("The Content-Length is not one whole number.");
  }
  // The server takes other codings off as well as on: the upstream would
  // get coded bytes unlabelled.
  if (coding !== null && coding.trim().toLowerCase() !== "chunked") {
    return new BadRequest("The Transfer-Encoding is not chunked.");
  }
  const length = announced === null ? null : Number(announced);
  const isFramed = coding !== null || (length !== null && length > 0);
  if (request.body === null) {
    // Deno.serve keeps the body of GET and HEAD to itself; announced to the upstream and not
    // sent, it would be made up by the beginning of the next request.
    return isFramed
      ? new BadRequest("The method does not go with a body here.")
      : { stream: null, length };
  }
  // RFC 9112 §6.3: without either field there is no body, whatever the method.
  if (scheme === "http" && !isFramed) return { stream: null, length };
  return { stream: request.body, length };
}
