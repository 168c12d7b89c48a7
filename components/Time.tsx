/** A moment as people say it ("3 minutes ago"), with the exact time and its zone on hover. */

interface TimeProps {
  /** ISO 8601. */
  readonly at: string;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

export function Time({ at, now = Date.now() }: TimeProps) {
  return <time datetime={at} title={absoluteTime(at)}>{relativeTime(Date.parse(at), now)}</time>;
}

/** `2026-01-31 14:03:22 UTC` */
export function absoluteTime(at: string): string {
  return new Date(at).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
}

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Each unit, and the age in milliseconds from which the next larger one is used. */
const units = [
  ["second", SECOND, MINUTE],
  ["minute", MINUTE, HOUR],
  ["hour", HOUR, DAY],
  ["day", DAY, 30 * DAY],
  ["month", 30 * DAY, 365 * DAY],
  ["year", 365 * DAY, Infinity],
] as const;

/** Both in milliseconds since the epoch. Less than five seconds ago is "just now". */
export function relativeTime(at: number, now: number): string {
  const age = now - at;
  if (age >= 0 && age < 5 * SECOND) return "just now";
  const [unit, length] = units.find(([, , limit]) => Math.abs(age) < limit) ?? units[5];
  return words.format(-Math.trunc(age / length), unit);
}
