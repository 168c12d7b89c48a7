/**
 * The canonical request target: made once from what the client sent, decided on
 * by every rule, and the bytes that are forwarded. Two views of one path are how
 * gateways are walked around, so there is no other place that reads the target.
 */
import { BadRequest } from "./bad_request.ts";
import { isAuthority } from "./host_name.ts";

export interface Target {
  /** Host and port as the client named them. */
  readonly authority: string;
  /** Canonical path: unreserved characters decoded, everything else as sent. */
  readonly path: string;
  /** Without the `?`; null when there was none, which is not the same as "". */
  readonly query: string | null;
}

/** Anything that needs a closer look: an escape, a backslash, a dot segment. */
const NOT_PLAIN = /[%\\]|\/\.\.?(?:[/;]|$)/;

/**
 * Reads the target out of `req.url`, which holds the raw request target behind
 * the authority: that of an absolute-form target if the client sent one, else
 * the Host header's. `hostHeader` must therefore agree with it. Over TLS there may
 * be none: HTTP/2 has `:authority` instead (RFC 9113 §8.3.1), which is in the URL.
 * @param scheme the connection's; a target may not name another (RFC 9110 §7.4)
 */
export function readTarget(
  url: string,
  hostHeader: string | null,
  scheme: "http" | "https",
): Target | BadRequest {
  const authorityStart = url.indexOf("://") + 3;
  const pathStart = targetStart(url, authorityStart);
  const authority = url.slice(authorityStart, pathStart);
  hostHeader ??= scheme === "https" ? authority : "";
  if (hostHeader === "") return new BadRequest("The Host header is missing.");
  if (!isAuthority(hostHeader)) return new BadRequest("The Host header is not valid.");
  if (authority !== hostHeader && authority.toLowerCase() !== hostHeader.toLowerCase()) {
    return new BadRequest("The Host header and the host of the request target differ.");
  }
  if (url.slice(0, authorityStart - 3).toLowerCase() !== scheme) {
    return new BadRequest(`The scheme of the request target is not ${scheme}.`);
  }
  // A fragment is no part of a request target (RFC 9112 §3.2).
  if (url.includes("#", pathStart)) return new BadRequest("The request target holds a fragment.");
  const queryStart = url.indexOf("?", pathStart);
  const rawPath = url.slice(pathStart, queryStart === -1 ? undefined : queryStart);
  const path = canonicalPath(rawPath === "" ? "/" : rawPath);
  if (path instanceof BadRequest) return path;
  return { authority, path, query: queryStart === -1 ? null : url.slice(queryStart + 1) };
}

/** The pieces of a target that was refused, as they came: for the record, never to be forwarded. */
export function unreadTarget(url: string): Target {
  const authorityStart = url.indexOf("://") + 3;
  const pathStart = targetStart(url, authorityStart);
  const [path = "", ...query] = url.slice(pathStart).split("?");
  return {
    authority: url.slice(authorityStart, pathStart),
    path: path === "" ? "/" : path,
    query: query.length === 0 ? null : query.join("?"),
  };
}

/** Where the path begins behind the authority or, if there is no path, the query. */
export function targetStart(url: string, authorityStart = url.indexOf("://") + 3): number {
  for (let index = authorityStart; index < url.length; index++) {
    const character = url.charCodeAt(index);
    if (character === SLASH || character === QUESTION) return index;
  }
  return url.length;
}

const SLASH = 0x2f;
const QUESTION = 0x3f;

/**
 * Decodes percent-encoded unreserved characters once (RFC 3986 §6.2.2.2) and
 * leaves every other byte alone. Refuses dot segments in any spelling and
 * encoded control characters.
 */
export function canonicalPath(raw: string): string | BadRequest {
  if (!NOT_PLAIN.test(raw)) return raw;
  let path = "";
  let copied = 0;
  let strayPercent = -3;
  for (let at = raw.indexOf("%"); at !== -1; at = raw.indexOf("%", at + 1)) {
    const byte = hexByte(raw, at + 1);
    if (byte === -1) {
      strayPercent = path.length + (at - copied);
      continue;
    }
    if (byte < 0x20 || byte === 0x7f) {
      return new BadRequest("The path holds an encoded control character.");
    }
    if (!isUnreserved(byte)) continue;
    const position = path.length + (at - copied);
    // "%%36" + "1" would turn into "%61", an escape the client did not write.
    if (position - strayPercent <= 2) return new BadRequest("The path holds a broken escape.");
    path += raw.slice(copied, at) + String.fromCharCode(byte);
    copied = at + 3;
  }
  path += raw.slice(copied);
  if (path.split(SEPARATOR).some((segment) => DOTS.test(segment))) {
    return new BadRequest('The path holds the segment "." or "..".');
  }
  return path;
}

/** What some server somewhere takes for a path separator. */
const SEPARATOR = /\/|\\|%2f|%5c/i;

/** A dot segment; servlet containers take one with a parameter (`..;x`) for the same. */
const DOTS = /^\.{1,2}(?:;|%3b|$)/i;

/** The value of two hexadecimal digits at `at`, or -1. */
function hexByte(text: string, at: number): number {
  const high = hexDigit(text.charCodeAt(at));
  const low = hexDigit(text.charCodeAt(at + 1));
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~", RFC 3986 §2.3. */
function isUnreserved(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e || byte === 0x5f ||
    byte === 0x7e;
}

const PRINTABLE = /^[\x21\x22\x24-\x7e]*$/;

/**
 * A target as it may stand in a URL: what is not printable ASCII is percent-encoded by
 * UTF-8, as browsers do, and so is `#`. Half a character becomes U+FFFD.
 */
export function printable(target: string): string {
  return PRINTABLE.test(target)
    ? target
    : target.toWellFormed().replace(/[^\x21\x22\x24-\x7e]+/g, encodeURIComponent);
}

/**
 * A configured prefix as canonical paths begin with it; one that no path may have stays,
 * and matches none.
 */
export function canonicalPrefix(prefix: string): string {
  const escaped = printable(prefix);
  const path = canonicalPath(escaped);
  return path instanceof BadRequest ? escaped : path;
}
