import assert from "node:assert/strict";
import { absoluteTime, relativeTime } from "./Time.tsx";

const now = Date.parse("2026-06-15T12:00:00Z");
const ago = (milliseconds: number) => relativeTime(now - milliseconds, now);

Deno.test("an age is told in its largest whole unit", () => {
  assert.equal(ago(1_000), "just now");
  assert.equal(ago(42_000), "42 seconds ago");
  assert.equal(ago(59 * 60_000 + 59_000), "59 minutes ago");
  assert.equal(ago(3 * 3_600_000), "3 hours ago");
  assert.equal(ago(30 * 3_600_000), "yesterday");
  assert.equal(ago(45 * 86_400_000), "last month");
  assert.equal(ago(800 * 86_400_000), "2 years ago");
});

Deno.test("a time to come is told as well, for clocks that differ", () => {
  assert.equal(ago(-90_000), "in 1 minute");
});

Deno.test("the exact time names its zone", () => {
  assert.equal(absoluteTime("2026-01-31T14:03:22.123Z"), "2026-01-31 14:03:22 UTC");
});
