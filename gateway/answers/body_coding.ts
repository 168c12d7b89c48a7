/**
 * Decides whether an answer's body is compressed for the client, or decompressed,
 * and what its header then says. The body itself is `coder.ts`'s work.
 */
import type { Exchange } from "../exchange/exchange.ts";
import { combinedValue, type HeaderFields } from "../exchange/header_fields.ts";
import type { UpstreamResponse } from "../upstream/call.ts";
import { type AcceptedCodings, acceptedCodings, type Coding } from "./accepted_codings.ts";

/** `gunzip`: the client gets plain what the backend sent in gzip. */
export type Recoding = Coding | "gunzip";

export interface CodingDecision {
  /** Null: the body goes on as it is. */
  readonly recoding: Recoding | null;
  /** Whether a client with another `Accept-Encoding` could get another answer. */
  readonly varies: boolean;
}

const AS_IT_IS: CodingDecision = { recoding: null, varies: false };

/** Less than this gains nothing, in bytes. */
export const MIN_BYTES = 1000;

/** Media types that are text; those that end in `+json` or `+xml` are as well (RFC 6839). */
const TEXT_TYPES = new Set([
  "application/javascript",
  "application/json",
  "application/x-javascript",
  "application/xml",
  "text/css",
  "text/csv",
  "text/html",
  "text/javascript",
  "text/plain",
  "text/xml",
]);

/** Who the answer is for. */
type Client = Pick<Exchange, "method" | "headers">;

/** @param compresses whether a plain answer may be compressed */
export function decideCoding(
  { status, headers, body }: Pick<UpstreamResponse, "status" | "headers" | "body">,
  client: Client,
  compresses: boolean,
): CodingDecision {
  // Answers to HEAD tell what the backend says; 206 is a part of what nobody knows the rest of.
  if (body === null || status === 206 || client.method === "HEAD") return AS_IT_IS;
  const coding = combinedValue(headers, "content-encoding");
  if (coding === null) {
    if (!compresses || !isWorthIt(headers)) return AS_IT_IS;
    return { recoding: acceptedBy(client).preferred, varies: true };
  }
  if (!isGzip(coding) || forbidsTransforming(headers)) return AS_IT_IS;
  return { recoding: acceptedBy(client).gzip ? null : "gunzip", varies: true };
}

function acceptedBy({ headers }: Client): AcceptedCodings {
  return acceptedCodings(headers.get("accept-encoding"));
}

/** Of what comes without a length nothing can be said until it is there: it may be long. */
function isWorthIt(headers: HeaderFields): boolean {
  const length = combinedValue(headers, "content-length");
  if (length !== null && Number(length) < MIN_BYTES) return false;
  const type = combinedValue(headers, "content-type");
  return type !== null && isText(type) && !forbidsTransforming(headers);
}

function isText(contentType: string): boolean {
  const end = contentType.indexOf(";");
  const type = (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
  return TEXT_TYPES.has(type) || type.endsWith("+json") || type.endsWith("+xml");
}

function isGzip(coding: string): boolean {
  const name = coding.toLowerCase();
  return name === "gzip" || name === "x-gzip";
}

/** RFC 9111 §5.2.2.6 */
function forbidsTransforming(headers: HeaderFields): boolean {
  return headers.some(([name, value]) =>
    name === "cache-control" && value.toLowerCase().includes("no-transform")
  );
}

/** What was said of bytes that are not sent any more. */
const OF_THE_OLD_BYTES = new Set([
  "accept-ranges",
  "content-digest",
  "content-encoding",
  "content-length",
  "content-md5",
  "digest",
  "repr-digest",
]);

/** The fields of an answer whose body is recoded. */
export function recodedHeaders(
  headers: UpstreamResponse["headers"],
  recoding: Recoding,
): UpstreamResponse["headers"] {
  const recoded: UpstreamResponse["headers"] = [];
  for (const [name, value] of headers) {
    if (!OF_THE_OLD_BYTES.has(name)) recoded.push([name, name === "etag" ? weak(value) : value]);
  }
  if (recoding !== "gunzip") recoded.push(["content-encoding", recoding]);
  return recoded;
}

/** It means the same, but is not the same byte for byte (RFC 9110 §8.8.1). */
function weak(etag: string): string {
  return etag.startsWith("W/") ? etag : `W/${etag}`;
}

/** The fields of an answer that could be another one with another `Accept-Encoding`. */
export function variedHeaders(
  headers: UpstreamResponse["headers"],
): UpstreamResponse["headers"] {
  const index = headers.findIndex(([name]) => name === "vary");
  const vary = combinedValue(headers, "vary");
  if (vary === null) return [...headers, ["vary", "Accept-Encoding"]];
  const names = vary.split(",").map((name) => name.trim().toLowerCase());
  if (names.includes("*") || names.includes("accept-encoding")) return headers;
  const joined = vary.trim() === "" ? "Accept-Encoding" : `${vary}, Accept-Encoding`;
  const rest = headers.filter(([name]) => name !== "vary");
  return rest.toSpliced(index, 0, ["vary", joined]);
}
