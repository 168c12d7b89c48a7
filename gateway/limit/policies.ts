/**
 * What callers and people read of limits and quotas: the items of the fields `RateLimit`
 * and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11), and words.
 */
import type { Span } from "./calendar.ts";
import type { CompiledLimit } from "./compiled_limits.ts";
import type { CompiledQuota } from "./compiled_quotas.ts";

/** A policy as its fields have it. */
export interface Policy {
  /** A quoted string, such as `"hour"`, `"15-seconds"`, `"second-by-ip"`, `"month-quota"`. */
  readonly name: string;
  /** The item of `RateLimit-Policy` (§3): `"hour";q=1000;w=3600`. */
  readonly item: string;
}

/** `q` calls in each `w` whole seconds. */
export function ratePolicy({ calls, duration, by }: CompiledLimit): Policy {
  const [count, unit] = unitsOf(duration);
  const name = quoted(count === 1 ? unit : `${count}-${unit}s`, by);
  return { name, item: `${name};q=${calls};w=${Math.ceil(duration / 1000)}` };
}

/** `w` is the length of the day or month at hand: months differ. */
export function quotaPolicy({ calls, period, by }: CompiledQuota, { start, end }: Span): Policy {
  const name = quoted(`${period}-quota`, by);
  return { name, item: `${name};q=${calls};w=${(end - start) / 1000}` };
}

/**
 * The item of `RateLimit` (§4). `t` counts, as `Retry-After` does, to
 * when there is more to have.
 */
export function leftItem({ name }: Policy, remaining: number, secondsUntilMore: number): string {
  return `${name};r=${remaining};t=${secondsUntilMore}`;
}

/** `1,000 calls an hour by API key`, `150 calls in 15 seconds by IP address`. */
export function limitWords({ calls, duration, by }: Omit<CompiledLimit, "kind">): string {
  return `${callWords(calls)} ${durationWords(duration)} by ${subjectWords(by)}`;
}

/** `10,000 calls a month (UTC) by API key`. */
export function quotaWords({ calls, period, by }: Omit<CompiledQuota, "kind">): string {
  return `${callWords(calls)} a ${period} (UTC) by ${subjectWords(by)}`;
}

function callWords(calls: number): string {
  return `${calls.toLocaleString("en")} ${calls === 1 ? "call" : "calls"}`;
}

/** `an hour`, `in 15 minutes`; milliseconds in. */
export function durationWords(duration: number): string {
  const [count, unit] = unitsOf(duration);
  if (count > 1) return `in ${count} ${unit}s`;
  return unit === "hour" ? "an hour" : `a ${unit}`;
}

function subjectWords(by: CompiledLimit["by"]): string {
  return by === "ip" ? "IP address" : "API key";
}

/** Limits of the same time by key and by address are two policies. */
function quoted(name: string, by: CompiledLimit["by"]): string {
  return by === "ip" ? `"${name}-by-ip"` : `"${name}"`;
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** Milliseconds in the largest unit that they are whole numbers of. */
function unitsOf(milliseconds: number): readonly [count: number, unit: string] {
  const [unit, length] = units.find(([, length]) => milliseconds % length === 0) ??
    ["millisecond", 1];
  return [milliseconds / length, unit];
}
