/** Rows for tests: one at a time, or any that fast-check can think of. */
import * as fc from "fast-check";
import { type LogRow, requiredLogFields } from "../records/log_row.ts";

/** 2026-03-01T12:00:00Z, the start of an hour. */
export const noon = Date.UTC(2026, 2, 1, 12);

export function sampleRow(facts: Partial<LogRow> = {}): LogRow {
  return {
    request_id: "r-1",
    request_at: noon,
    request_method: "GET",
    request_scheme: "https",
    request_host: "api.example.com",
    request_path: "/v1/items",
    request_ip: "192.0.2.7",
    request_size: 0,
    response_status: 200,
    response_time: 12,
    response_size: 158,
    ...facts,
  };
}

/**
 * Few values, so that rows share them, and odd ones: line breaks,
 * quotes, half a surrogate pair.
 */
const anyText = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "A",
    "ab",
    "/v1/a",
    "/v1/b",
    "*",
    "!",
    "\\",
    "=1+1",
    "x,y",
    '"',
    "\n",
    "é",
  ),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constant("\ud83d"),
);

/** Rows of a stretch that chunks, minutes and hours begin in, with many at the same moment. */
const anyTime = fc.oneof(
  fc.integer({ min: -3, max: 3 }).map((offset) => noon + offset),
  fc.integer({ min: -40_000, max: 40_000 }).map((offset) => noon + offset),
  fc.integer({ min: -7_200_000, max: 7_200_000 }).map((offset) => noon + offset),
);

/** A row without its `request_id`, which each test makes unique. */
const anyRow: fc.Arbitrary<LogRow> = fc.record({
  request_id: fc.constant(""),
  request_at: anyTime,
  request_method: fc.constantFrom("GET", "POST", "BREW"),
  request_scheme: fc.constantFrom("http", "https"),
  request_host: fc.constantFrom("api.example.com", "example.org"),
  request_path: anyText,
  request_ip: fc.constantFrom("192.0.2.7", "2001:db8::1"),
  request_size: fc.nat(2000),
  response_status: fc.constantFrom(101, 200, 204, 301, 403, 404, 429, 499, 500, 504),
  response_time: fc.nat(500),
  response_size: fc.nat(100_000),
  request_port: fc.constantFrom(80, 8080),
  request_url_query: anyText,
  request_user_agent: anyText,
  user_email: fc.constantFrom("a@example.com", "B@example.com"),
  api_backend_id: fc.constantFrom("b1", "b2"),
  gatekeeper_denied_code: fc.constantFrom("api_key_missing", "over_rate_limit"),
}, {
  requiredKeys: [...requiredLogFields],
});

/** Rows that can be told apart by their `request_id`. */
export const anyRows = (maxLength: number): fc.Arbitrary<LogRow[]> =>
  fc.array(anyRow, { maxLength, size: "max" }).map((rows) =>
    rows.map((row, index) => ({ ...row, request_id: `r-${index}` }))
  );
