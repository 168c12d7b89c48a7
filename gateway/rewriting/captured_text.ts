/**
 * What a route captured from a caller's path or query, as it may stand in the target
 * that is made of it. It keeps to its place: out of a path's segment or an argument
 * nothing can begin another.
 */

/** Everything that is neither unreserved (RFC 3986 §2.3) nor part of an escape. */
const UNSAFE = /[^A-Za-z0-9\-._~%]+|%(?![0-9A-Fa-f]{2})/g;

/** Escapes stay, whatever bytes they stand for; all else is percent-encoded. */
export function escapeCaptured(text: string): string {
  return text.toWellFormed().replace(UNSAFE, escapeAll);
}

/** `encodeURIComponent` leaves a few marks alone that some servers give a meaning. */
function escapeAll(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
