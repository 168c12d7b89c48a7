/**
 * Points in time as callers write them: ISO 8601, either a date alone (its
 * midnight in UTC) or a date and time with a zone. A time without a zone is
 * refused, because it would mean another moment on another machine.
 */

const ISO_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+\- ])(\d\d):?(\d\d)))?$/i;

/** What a field that holds a time may be told when it does not. */
export const isoTimeExpected =
  "must be a date such as 2026-01-31 or a time with its zone such as 2026-01-31T09:30:00Z";

/** Milliseconds since the epoch, or null when `text` is no such time. */
export function parseIsoTime(text: string): number | null {
  const match = ISO_TIME.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) =>
    Number(part ?? 0)
  );
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const local = Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second, millisecond);
  // Date.UTC carries what is too large over: a time that comes out otherwise does not exist.
  const written = match.slice(1, 7).map((part) => (part ?? "00").padStart(2, "0"));
  if (new Date(local).toISOString().slice(0, 19).replaceAll(/[-T:]/g, "") !== written.join("")) {
    return null;
  }
  return local - zoneOffset(match[8], match[9], match[10]);
}

/** Milliseconds a zone is ahead of UTC. A `+` that was not escaped in a URL arrives as a space. */
function zoneOffset(sign: string | undefined, hours = "0", minutes = "0"): number {
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? -offset : offset;
}
