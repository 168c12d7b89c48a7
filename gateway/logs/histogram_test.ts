import assert from "node:assert/strict";
import { Store } from "../store/store.ts";
import { CallLog, type Histogram } from "./call_log.ts";
import { noon, sampleRow } from "./sample_rows.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./time_steps.ts";

/** The chart of calls with a status, each so many milliseconds after noon. */
async function chart(
  calls: readonly (readonly [offset: number, status: number])[],
  query: string,
  now = noon,
): Promise<Histogram> {
  const store = await Store.open(":memory:");
  const log = new CallLog(store, { onProblem: assert.fail, now: () => now });
  for (const [offset, response_status] of calls) {
    log.record(sampleRow({ request_at: noon + offset, response_status }));
  }
  try {
    return await log.histogram(new URLSearchParams(query));
  } finally {
    await log.close();
    store.close();
  }
}

function range(from: number, to: number): string {
  return `start_at=${new Date(noon + from).toISOString()}&end_at=${
    new Date(noon + to).toISOString()
  }`;
}

Deno.test("bars count calls by status class, without gaps", async () => {
  const calls = [[0, 200], [1, 204], [MINUTE, 301], [MINUTE, 404], [3 * MINUTE, 502], [2, 101]];
  const { buckets, interval_seconds } = await chart(
    calls.map(([offset = 0, status = 0]) => [offset, status] as const),
    range(0, HOUR),
  );
  assert.equal(interval_seconds, 60);
  assert.equal(buckets.length, 60);
  assert.deepEqual(buckets[0], {
    start_at: "2026-03-01T12:00:00.000Z",
    end_at: "2026-03-01T12:01:00.000Z",
    counts: { "1xx": 1, "2xx": 2, "3xx": 0, "4xx": 0, "5xx": 0 },
  });
  assert.deepEqual(
    buckets.slice(1, 4).map(({ counts }) => Object.values(counts)),
    [[0, 0, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1]],
  );
});

Deno.test("the interval goes with the range", async () => {
  const intervalOf = async (length: number) =>
    (await chart([], range(0, length))).interval_seconds * SECOND;
  assert.equal(await intervalOf(10 * SECOND), SECOND);
  assert.equal(await intervalOf(10 * MINUTE), 10 * SECOND);
  assert.equal(await intervalOf(HOUR), MINUTE);
  assert.equal(await intervalOf(DAY), 15 * MINUTE);
  assert.equal(await intervalOf(14 * DAY), 6 * HOUR);
  assert.equal(await intervalOf(90 * DAY), DAY);
  assert.equal(await intervalOf(3650 * DAY), 37 * DAY);
});

Deno.test("without bounds a chart covers the log, up to now", async () => {
  const { start_at, end_at } = await chart([[5000, 200]], "", noon + HOUR);
  assert.equal(start_at, "2026-03-01T12:00:00.000Z");
  assert.equal(end_at, "2026-03-01T13:00:00.000Z");
});

Deno.test("a chart of a filtered list counts what the list shows", async () => {
  const { buckets } = await chart(
    [[0, 200], [1, 403], [2, 429]],
    `${range(0, HOUR)}&response_status=4xx`,
  );
  assert.deepEqual(Object.values(buckets[0]?.counts ?? {}), [0, 0, 0, 2, 0]);
});

Deno.test("a bar at the edge holds only what is in the range", async () => {
  const { buckets } = await chart([[0, 200], [500, 200], [1500, 200]], range(500, 1500));
  assert.deepEqual(buckets.map(({ counts }) => counts["2xx"]), [1, 0]);
});

Deno.test("calls that were stored together still go to the bars of their own times", async () => {
  const { buckets } = await chart([[0, 200], [999, 200], [1000, 200], [2500, 200]], range(0, 4000));
  assert.deepEqual(buckets.map(({ counts }) => counts["2xx"]), [2, 1, 1, 0]);
});
