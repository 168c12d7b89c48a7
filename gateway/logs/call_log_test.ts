import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Fault } from "../faults.ts";
import { type LogField, logFields, type LogRow, numericLogFields } from "../records/log_row.ts";
import { Store } from "../store/store.ts";
import { CallLog, type LogEntry } from "./call_log.ts";
import { anyRows, noon, sampleRow } from "./sample_rows.ts";
import { HOUR } from "./time_steps.ts";

/** Runs `use` on the logs of as many isolates of one server, all on one empty store. */
async function withLogs(
  isolates: number,
  use: (...logs: [CallLog, ...CallLog[]]) => Promise<void>,
): Promise<void> {
  const store = await Store.open(":memory:");
  const open = () => new CallLog(store, { onProblem: assert.fail, now: () => noon });
  const [first, ...others] = Array.from({ length: isolates }, open);
  assert.ok(first !== undefined);
  try {
    await use(first, ...others);
  } finally {
    for (const log of [first, ...others]) await log.close();
    store.close();
  }
}

const search = (text: string) => new URLSearchParams(text);

function ids(entries: readonly LogEntry[]): string[] {
  return entries.map(({ request_id }) => request_id);
}

/** Every page, one after the other. */
async function allPages(log: CallLog, params: URLSearchParams): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (const next = new URLSearchParams(params);;) {
    const { logs, next_cursor } = await log.query(next);
    entries.push(...logs);
    if (next_cursor === null) return entries;
    next.set("cursor", next_cursor);
  }
}

Deno.test("a recorded call is in the list at once, with its time and URL", () =>
  withLogs(1, async (log) => {
    log.record(sampleRow({ request_url_query: "page=2" }));
    assert.deepEqual(await log.query(search("")), {
      logs: [{
        ...sampleRow({ request_url_query: "page=2" }),
        request_at: "2026-03-01T12:00:00.000Z",
        request_url: "https://api.example.com/v1/items?page=2",
      }],
      next_cursor: null,
      total: 1,
    });
  }));

Deno.test("an empty log is an empty list", () =>
  withLogs(1, async (log) => {
    assert.deepEqual(await log.query(search("")), { logs: [], next_cursor: null, total: 0 });
    assert.deepEqual((await log.histogram(search(""))).buckets, []);
    assert.equal(await log.find("r-1"), null);
  }));

Deno.test("paging gives every row once, newest first, whatever is recorded by whom", () =>
  fc.assert(
    fc.asyncProperty(
      anyRows(400),
      fc.integer({ min: 1, max: 150 }),
      fc.integer({ min: 1, max: 60 }),
      (rows, limit, flushEvery) =>
        withLogs(2, async (...logs) => {
          for (const [index, row] of rows.entries()) {
            logs[index % 3 === 0 ? 1 : 0]?.record(row);
            if (index % flushEvery === 0) await logs[index % 2]?.flush();
          }
          for (const log of logs) await log.flush();

          const entries = await allPages(logs[0], search(`limit=${limit}`));
          assert.deepEqual(ids(entries).toSorted(), rows.map((row) => row.request_id).toSorted());
          const times = entries.map(({ request_at }) => request_at);
          assert.deepEqual(times, times.toSorted().reverse());
          assert.equal((await logs[0].query(search("limit=1"))).total, rows.length);
        }),
    ),
    { numRuns: 30 },
  ));

/** A filter as a URL has it, and what it means for a row. */
interface NaiveFilter {
  readonly field: LogField;
  readonly value: string;
  readonly passes: (value: string | number | undefined) => boolean;
}

const anyFilter: fc.Arbitrary<NaiveFilter> = fc.oneof(
  fc.constantFrom("GET", "post").map((method): NaiveFilter => ({
    field: "request_method",
    value: method,
    passes: (value) => value === method.toUpperCase(),
  })),
  fc.constantFrom<LogField>("user_email", "request_user_agent", "api_backend_id").map(
    (field): NaiveFilter => ({ field, value: "!*", passes: (value) => value === undefined }),
  ),
  fc.constantFrom("a", "/V1/").map((text): NaiveFilter => ({
    field: "request_path",
    value: `${text}*`,
    passes: (value) => String(value).toLowerCase().startsWith(text.toLowerCase()),
  })),
  fc.constantFrom("b1", "b2").map((id): NaiveFilter => ({
    field: "api_backend_id",
    value: `!${id}`,
    passes: (value) => value !== id,
  })),
  fc.nat(600).map((status): NaiveFilter => ({
    field: "response_status",
    value: `>=${status}`,
    passes: (value) => Number(value) >= status,
  })),
  fc.tuple(fc.nat(500), fc.nat(500)).map(([low, high]): NaiveFilter => ({
    field: "response_time",
    value: `${low}..${high}`,
    passes: (value) => Number(value) >= low && Number(value) <= high,
  })),
);

Deno.test("lists, totals, charts and CSV all agree with looking at every row", () =>
  fc.assert(
    fc.asyncProperty(
      anyRows(300),
      fc.uniqueArray(anyFilter, { maxLength: 2, selector: ({ field }) => field }),
      fc.tuple(fc.integer({ min: -100, max: 100 }), fc.nat(100)),
      fc.constantFrom(1, 1000, 60_000),
      (rows, filters, [from, length], unit) =>
        withLogs(1, async (log) => {
          for (const row of rows) log.record(row);
          const start = noon + from * unit;
          const end = start + length * unit;
          const expected = rows.filter((row) =>
            row.request_at >= start && row.request_at < end &&
            filters.every(({ field, passes }) => passes(row[field]))
          );

          const params = search(`start_at=${iso(start)}&end_at=${iso(end)}&limit=50`);
          for (const { field, value } of filters) params.append(field, value);
          assert.deepEqual(
            ids(await allPages(log, params)).toSorted(),
            expected.map((row) => row.request_id).toSorted(),
          );
          assert.equal((await log.query(params)).total, expected.length);
          for (const { start_at, end_at, counts } of (await log.histogram(params)).buckets) {
            const inBucket = expected.filter((row) =>
              row.request_at >= Date.parse(start_at) && row.request_at < Date.parse(end_at)
            );
            assert.deepEqual(counts, countByClass(inBucket));
          }
          const csv = await new Response(log.csv(params)).text();
          assert.equal(csv.split(/r-\d+,/).length - 1, expected.length);
        }),
    ),
    { numRuns: 60 },
  ));

function countByClass(rows: readonly LogRow[]): Record<string, number> {
  const counts = { "1xx": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0 };
  for (const { response_status } of rows) {
    if (response_status < 200) counts["1xx"]++;
    else if (response_status < 300) counts["2xx"]++;
    else if (response_status < 400) counts["3xx"]++;
    else if (response_status < 500) counts["4xx"]++;
    else counts["5xx"]++;
  }
  return counts;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

Deno.test("every field can be filtered by", () =>
  withLogs(1, async (log) => {
    const texts = logFields.filter((field) => !numericLogFields.has(field) && field in full);
    for (const field of texts) {
      log.record(full);
      log.record(sampleRow());
      const { logs } = await log.query(search(`${field}=${encodeURIComponent(full[field] ?? "")}`));
      assert.ok(logs.length > 0 && logs.every((entry) => entry[field] === full[field]), field);
    }
    assert.equal(texts.length + numericLogFields.size, logFields.length);
  }));

const full: LogRow = sampleRow({
  request_id: "R/2",
  request_method: "POST",
  request_scheme: "http",
  request_host: "example.org",
  request_path: "/full",
  request_url_query: "a=b",
  request_ip: "2001:db8::1",
  request_user_agent: "curl/8.1 (x)",
  request_accept: "text/html",
  request_accept_encoding: "gzip",
  request_content_type: "application/json",
  request_origin: "https://example.org",
  request_referer: "https://example.org/page",
  response_content_type: "text/plain; charset=utf-8",
  response_content_encoding: "br",
  response_server: "nginx",
  response_cache: "MISS",
  user_id: "u-1",
  user_email: "jo@example.org",
  api_backend_id: "b-1",
  api_backend_name: "Items",
  api_backend_resolved_host: "10.0.0.1:8080",
  api_backend_response_code_details: "upstream_timeout",
  gatekeeper_denied_code: "over_rate_limit",
});

Deno.test("a page begins where the last one ended, though calls came in between", () =>
  withLogs(1, async (log) => {
    for (let index = 0; index < 10; index++) {
      log.record(sampleRow({ request_id: `old-${index}`, request_at: noon + index }));
    }
    const first = await log.query(search("limit=4"));
    for (let index = 0; index < 200; index++) {
      log.record(sampleRow({ request_id: `new-${index}`, request_at: noon + 9 + index }));
    }
    const second = await log.query(search(`limit=4&cursor=${first.next_cursor}`));
    assert.deepEqual(ids([...first.logs, ...second.logs]), [
      "old-9",
      "old-8",
      "old-7",
      "old-6",
      "old-5",
      "old-4",
      "old-3",
      "old-2",
    ]);
  }));

Deno.test("a clock that is set back does not mix up the order", () =>
  withLogs(1, async (log) => {
    for (const offset of [0, 5, -HOUR, -HOUR + 1, 7]) {
      log.record(sampleRow({ request_id: `at ${offset}`, request_at: noon + offset }));
      await log.flush();
    }
    assert.deepEqual(ids((await log.query(search(""))).logs), [
      "at 7",
      "at 5",
      "at 0",
      `at ${-HOUR + 1}`,
      `at ${-HOUR}`,
    ]);
  }));

Deno.test("a range includes its start and not its end", () =>
  withLogs(1, async (log) => {
    for (const offset of [-1, 0, 1, 2]) {
      log.record(sampleRow({ request_id: `at ${offset}`, request_at: noon + offset }));
    }
    const range = `start_at=${iso(noon)}&end_at=${iso(noon + 2)}`;
    assert.deepEqual(ids((await log.query(search(range))).logs), ["at 1", "at 0"]);
    assert.equal((await log.query(search(range))).total, 2);
  }));

Deno.test("a call is found by its request id, with and without its time", () =>
  withLogs(1, async (log) => {
    for (let index = 0; index < 500; index++) {
      log.record(sampleRow({ request_id: `r-${index}`, request_at: noon + index * 1000 }));
    }
    assert.equal((await log.find("r-77"))?.request_at, iso(noon + 77_000));
    assert.equal((await log.find("r-77", noon + 77_000))?.request_id, "r-77");
    assert.equal(
      (await log.find("r-77", noon))?.request_id,
      "r-77",
      "a wrong time costs time only",
    );
    assert.equal(await log.find("r-7777"), null);
    assert.equal(await log.find('"'), null);
  }));

Deno.test("bad parameters are refused by every way to ask", () =>
  withLogs(1, async (log) => {
    const bad = search("response_stats=200");
    await assert.rejects(log.query(bad), Fault);
    await assert.rejects(log.histogram(bad), Fault);
    assert.throws(() => log.csv(bad), Fault);
  }));

Deno.test("hits per hour are told apart by backend, the current hour last", () =>
  withLogs(1, async (log) => {
    const call = (api_backend_id: string, hoursAgo: number, response_status = 200) =>
      log.record(
        sampleRow({ api_backend_id, response_status, request_at: noon - hoursAgo * HOUR }),
      );
    call("b1", 0);
    call("b1", 0, 500);
    call("b1", 2);
    call("b1", 3);
    call("b2", 1);
    log.record(sampleRow());
    const hits = await log.hitsPerHour(["b1", "b2", "b3"], 3);
    assert.deepEqual([...hits], [["b1", [1, 0, 2]], ["b2", [0, 1, 0]], ["b3", [0, 0, 0]]]);
  }));

Deno.test("recording does not fail when the store is gone", async () => {
  const store = await Store.open(":memory:");
  const problems: string[] = [];
  const log = new CallLog(store, { onProblem: (message) => problems.push(message) });
  store.close();
  for (let index = 0; index < 1000; index++) log.record(sampleRow());
  await log.close();
  assert.equal(log.state.lost, 1000);
  assert.match(problems[0] ?? "", /cannot be written/);
});
