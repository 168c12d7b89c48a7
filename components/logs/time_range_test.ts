import assert from "node:assert/strict";
import { fieldTime, readRange } from "./time_range.ts";

const now = Date.parse("2026-03-10T12:00:00Z");
const read = (query: string) => readRange(new URLSearchParams(query), now);

Deno.test("without a word about time, the last 24 hours are shown", () => {
  assert.deepEqual(read("response_status=403"), {
    preset: "24h",
    startAt: "2026-03-09T12:00:00.000Z",
    endAt: "",
  });
  assert.equal(read("range=nonsense").preset, "24h");
});

Deno.test("a preset counts back from now", () => {
  assert.equal(read("range=7d").startAt, "2026-03-03T12:00:00.000Z");
});

Deno.test("moments go before a preset, and one of them is enough", () => {
  assert.deepEqual(read("range=7d&start_at=2026-03-01"), {
    preset: null,
    startAt: "2026-03-01",
    endAt: "",
  });
});

Deno.test("what a date and time field sends is UTC", () => {
  const { startAt, endAt } = read("start_at=2026-03-01T09:30&end_at=2026-03-02T09:30:15");
  assert.deepEqual([startAt, endAt], ["2026-03-01T09:30Z", "2026-03-02T09:30:15Z"]);
});

Deno.test("a time with its own zone keeps it, and nonsense is left for the log to refuse", () => {
  const { startAt, endAt } = read("start_at=2026-03-01T09:30:00%2B02:00&end_at=tomorrow");
  assert.deepEqual([startAt, endAt], ["2026-03-01T09:30:00+02:00", "tomorrow"]);
});

Deno.test("a date and time field shows a moment in UTC", () => {
  assert.equal(fieldTime("2026-03-01T09:30:00+02:00"), "2026-03-01T07:30:00");
  assert.equal(fieldTime("tomorrow"), "");
  assert.equal(fieldTime("275760-01-01"), "");
});
