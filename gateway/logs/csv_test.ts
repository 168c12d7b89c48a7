import assert from "node:assert/strict";
import * as fc from "fast-check";
import { logFields } from "../records/log_row.ts";
import { Store } from "../store/store.ts";
import { CallLog } from "./call_log.ts";
import { csvCell } from "./csv.ts";
import { anyRows, noon, sampleRow } from "./sample_rows.ts";

async function withLog(use: (log: CallLog) => Promise<void>): Promise<void> {
  const store = await Store.open(":memory:");
  const log = new CallLog(store, { onProblem: assert.fail, now: () => noon });
  try {
    await use(log);
  } finally {
    await log.close();
    store.close();
  }
}

function csv(log: CallLog, query = ""): Promise<string> {
  return new Response(log.csv(new URLSearchParams(query))).text();
}

/** Reads CSV as RFC 4180 has it: lines end with CRLF, quotes are doubled inside quotes. */
function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  const cells: string[] = [];
  let end = 0;
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy)) {
    const [whole, quoted, plain, separator] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (separator !== ",") lines.push(cells.splice(0));
    end = match.index + whole.length;
  }
  assert.equal(end, text.length, `this is no CSV: ${text.slice(end, end + 50)}`);
  return lines;
}

Deno.test("CSV has a header and one line a call, newest first", () =>
  withLog(async (log) => {
    log.record(sampleRow({ request_id: "first", request_url_query: "q=a,b" }));
    log.record(sampleRow({ request_id: "second", request_at: noon + 1 }));
    const [header, ...lines] = parseCsv(await csv(log));
    assert.deepEqual(header, [...logFields, "request_url"]);
    assert.deepEqual(lines.map((line) => line.slice(0, 2)), [
      ["2026-03-01T12:00:00.001Z", "second"],
      ["2026-03-01T12:00:00.000Z", "first"],
    ]);
    assert.equal(lines[1]?.at(-1), "https://api.example.com/v1/items?q=a,b");
  }));

Deno.test("CSV of nothing is a header", () =>
  withLog(async (log) => assert.equal(parseCsv(await csv(log)).length, 1)));

Deno.test("CSV holds the whole result, whatever the page size", () =>
  withLog(async (log) => {
    for (let index = 0; index < 1500; index++) {
      log.record(sampleRow({ request_at: noon + index, response_status: index % 2 ? 200 : 404 }));
    }
    assert.equal(parseCsv(await csv(log, "limit=10&response_status=404")).length, 1 + 750);
  }));

Deno.test("whatever was recorded, CSV reads back as it was but for the guard", () =>
  fc.assert(
    fc.asyncProperty(anyRows(30), (rows) =>
      withLog(async (log) => {
        for (const row of rows) log.record(row);
        const lines = parseCsv(await csv(log)).slice(1);
        const byId = new Map(lines.map((line) => [line[1], line]));
        assert.equal(lines.length, rows.length);
        for (const row of rows) {
          for (const [index, field] of logFields.entries()) {
            if (field === "request_at") continue;
            const recorded = String(row[field] ?? "").toWellFormed();
            const expected = /^[=+\-@\t\r]/.test(recorded) ? `'${recorded}` : recorded;
            assert.equal(byId.get(row.request_id)?.[index], expected);
          }
        }
      })),
    { numRuns: 50 },
  ));

Deno.test("no cell is taken for a formula by a spreadsheet", () => {
  for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"]) {
    assert.match(csvCell(text), /^"?'/, JSON.stringify(text));
  }
  assert.equal(csvCell('=HYPERLINK("x")'), `"'=HYPERLINK(""x"")"`);
  assert.equal(csvCell("a=1"), "a=1");
});

Deno.test("a reader that stops early ends the reading of the log", () =>
  withLog(async (log) => {
    for (let index = 0; index < 1000; index++) log.record(sampleRow({ request_at: noon + index }));
    const reader = log.csv(new URLSearchParams()).getReader();
    assert.equal((await reader.read()).done, false);
    await reader.cancel();
    assert.equal((await reader.read()).done, true);
  }));
