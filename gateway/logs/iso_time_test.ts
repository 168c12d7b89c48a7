import assert from "node:assert/strict";
import { parseIsoTime } from "./iso_time.ts";

Deno.test("a date alone is its midnight in UTC", () => {
  assert.equal(parseIsoTime("2026-03-01"), Date.UTC(2026, 2, 1));
});

Deno.test("a time is taken in its zone", () => {
  const nine = Date.UTC(2026, 2, 1, 9);
  for (
    const text of [
      "2026-03-01T09:00Z",
      "2026-03-01t09:00:00z",
      "2026-03-01T09:00:00.000Z",
      "2026-03-01T11:00:00+02:00",
      "2026-03-01T11:00+0200",
      "2026-03-01T03:30:00-05:30",
    ]
  ) {
    assert.equal(parseIsoTime(text), nine, text);
  }
  assert.equal(parseIsoTime("2026-03-01T09:00:00.1239Z"), nine + 123);
  assert.equal(parseIsoTime("2026-03-01T09:00:00,5Z"), nine + 500);
});

Deno.test("a + that a URL turned into a space is still a +", () => {
  assert.equal(parseIsoTime("2026-03-01T11:00:00 02:00"), Date.UTC(2026, 2, 1, 9));
});

Deno.test("what is no time, or no time everywhere the same, is refused", () => {
  for (
    const text of [
      "",
      "now",
      "1772360000",
      "2026-03",
      "2026-02-30",
      "2026-13-01",
      "2026-03-01T24:00Z",
      "2026-03-01T09:60Z",
      "2026-03-01T09:00:60Z",
      "2026-03-01T09:00:00",
      "2026-03-01 09:00:00Z",
      "2026-03-01T09:00Z and more",
    ]
  ) {
    assert.equal(parseIsoTime(text), null, text);
  }
});
