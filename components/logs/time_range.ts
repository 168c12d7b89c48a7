/**
 * The stretch of time that Filter Logs shows: the last hours or days, counted back
 * from now whenever the page is opened, or from one moment to another. All in UTC.
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Milliseconds back from now. */
export const presets = [
  { value: "1h", label: "1 hour", length: HOUR },
  { value: "24h", label: "24 hours", length: DAY },
  { value: "7d", label: "7 days", length: 7 * DAY },
  { value: "14d", label: "14 days", length: 14 * DAY },
  { value: "30d", label: "30 days", length: 30 * DAY },
] as const;

export type Preset = typeof presets[number]["value"];

export interface LogRange {
  /** Null for a stretch from one moment to another. */
  readonly preset: Preset | null;
  /** As `GET /logs` takes them; empty for no bound. What somebody wrote is not checked here. */
  readonly startAt: string;
  readonly endAt: string;
}

/** Reads `start_at` and `end_at`, else `range`, else the last 24 hours. */
export function readRange(params: URLSearchParams, now: number): LogRange {
  const startAt = withZone(params.get("start_at") ?? "");
  const endAt = withZone(params.get("end_at") ?? "");
  if (startAt !== "" || endAt !== "") return { preset: null, startAt, endAt };
  const wanted = presets.find(({ value }) => value === params.get("range")) ?? presets[1];
  return {
    preset: wanted.value,
    startAt: new Date(now - wanted.length).toISOString(),
    endAt: "",
  };
}

/** A date and time field sends no zone; it is labelled UTC. */
function withZone(text: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? `${text}Z` : text;
}

/** The value of a date and time field for a moment; empty when `text` is none it can show. */
export function fieldTime(text: string): string {
  const time = Date.parse(text);
  const written = Number.isNaN(time) ? "" : new Date(time).toISOString();
  // A year beyond 9999 is written with a sign and six digits.
  return /^\d{4}-/.test(written) ? written.slice(0, 19) : "";
}
