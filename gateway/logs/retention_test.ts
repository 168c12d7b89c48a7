import assert from "node:assert/strict";
import { Store } from "../store/store.ts";
import { CallLog } from "./call_log.ts";
import { noon, sampleRow } from "./sample_rows.ts";
import { DAY, HOUR } from "./time_steps.ts";

Deno.test("what is older than the retention goes, rows and counters alike", async () => {
  const store = await Store.open(":memory:");
  const log = new CallLog(store, { onProblem: assert.fail, now: () => noon });
  for (let index = 0; index < 600; index++) {
    log.record(sampleRow({ request_id: `r-${index}`, request_at: noon - index * HOUR }));
  }
  await log.flush();
  await log.retain(10);

  const kept = await log.query(new URLSearchParams("limit=1000"));
  assert.equal(kept.total, 10 * 24 + 1);
  assert.equal(kept.logs.length, kept.total);
  assert.equal(kept.logs.at(-1)?.request_at, new Date(noon - 10 * DAY).toISOString());
  const counted = await log.query(new URLSearchParams("response_status=200&limit=1"));
  assert.equal(counted.total, kept.total);
  for await (const { key } of store.kv.list({ prefix: ["log", "hits"] })) {
    assert.ok(Number(key[2]) >= noon - 10 * DAY);
  }
  await log.close();
  store.close();
});

Deno.test("a store that cannot be cleaned is reported, and closing ends the retries", async () => {
  const store = await Store.open(":memory:");
  const problems: string[] = [];
  const log = new CallLog(store, { onProblem: (message) => problems.push(message) });
  store.close();
  await log.retain(90);
  assert.match(problems[0] ?? "", /old calls could not be deleted/);
  await log.close();
});
