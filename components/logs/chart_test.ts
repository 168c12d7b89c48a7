import assert from "node:assert/strict";
import type { Histogram, HistogramBucket } from "@/gateway/logs/call_log.ts";
import { bucketWords, chartOf, legendOf, roundUp, stretchWords } from "./chart.ts";

const noon = Date.UTC(2026, 2, 1, 12);

function bucket(
  minutes: number,
  counts: Partial<HistogramBucket["counts"]>,
  length = 15,
): HistogramBucket {
  return {
    start_at: new Date(noon + minutes * 60_000).toISOString(),
    end_at: new Date(noon + (minutes + length) * 60_000).toISOString(),
    counts: { "1xx": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, ...counts },
  };
}

function histogram(...buckets: HistogramBucket[]): Histogram {
  return {
    start_at: buckets[0]?.start_at ?? "",
    end_at: buckets.at(-1)?.end_at ?? "",
    interval_seconds: 900,
    buckets,
  };
}

Deno.test("segments are stacked from the foot up, as high as their share of a round number", () => {
  const { bars, top } = chartOf(histogram(bucket(0, { "2xx": 5, "4xx": 2 }), bucket(15, {})));
  assert.equal(top, 10);
  assert.deepEqual(bars[0]?.segments, [
    { statusClass: "2xx", y: 50, height: 50 },
    { statusClass: "4xx", y: 30, height: 20 },
  ]);
  assert.deepEqual(bars[1]?.segments, []);
});

Deno.test("bars share the width, each with a little room around it", () => {
  const { bars } = chartOf(histogram(bucket(0, {}), bucket(15, {})));
  assert.deepEqual(bars.map(({ x, width }) => [x, width]), [[5, 40], [55, 40]]);
});

Deno.test("the top is a round number", () => {
  assert.deepEqual([1, 3, 5, 7, 11, 41, 50, 999, 1000].map(roundUp), [
    1,
    4,
    5,
    10,
    20,
    50,
    50,
    1000,
    1000,
  ]);
});

Deno.test("a few labels tell the time, as finely as the chart's length asks for", () => {
  const day = Array.from({ length: 96 }, (_, index) => bucket(index * 15, {}));
  const { ticks } = chartOf(histogram(...day));
  assert.deepEqual(ticks.map(({ label }) => label).slice(0, 3), ["12:00", "15:00", "18:00"]);
  const weeks = Array.from({ length: 28 }, (_, index) => bucket(index * 720, {}, 720));
  const labels = chartOf(histogram(...weeks)).ticks.map(({ label }) => label);
  assert.deepEqual(labels.slice(0, 2), ["03-02", "03-04"]);
});

Deno.test("labels stand at round times, wherever the chart begins", () => {
  const day = Array.from({ length: 96 }, (_, index) => bucket(-45 + index * 15, {}));
  assert.equal(chartOf(histogram(...day)).ticks[0]?.label, "12:00");
});

Deno.test("a chart of nothing is empty", () => {
  assert.deepEqual(chartOf(histogram()), { bars: [], top: 1, ticks: [] });
});

Deno.test("the legend has the classes that occur", () => {
  const legend = legendOf(histogram(bucket(0, { "2xx": 5 }), bucket(15, { "2xx": 1, "5xx": 2 })));
  assert.deepEqual(legend.map(({ statusClass, calls }) => [statusClass, calls]), [
    ["2xx", 6],
    ["5xx", 2],
  ]);
});

Deno.test("a bar is told in words, with its zone", () => {
  assert.equal(
    bucketWords(bucket(0, { "2xx": 1200, "4xx": 1 })),
    "2026-03-01 12:00–12:15 UTC: 1,201 calls (1,200 × 2xx, 1 × 4xx)",
  );
  assert.equal(bucketWords(bucket(0, {})), "2026-03-01 12:00–12:15 UTC: 0 calls");
  assert.equal(
    stretchWords(bucket(0, {}, 1440)),
    "2026-03-01 12:00–2026-03-02 12:00 UTC",
  );
});
