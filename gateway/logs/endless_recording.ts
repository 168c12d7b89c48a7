/**
 * Records calls into the store named by its argument until it is killed, and
 * prints how many of them are in the store. For `crash_test.ts`.
 */
import { Store } from "../store/store.ts";
import { CallLog } from "./call_log.ts";
import { sampleRow } from "./sample_rows.ts";

const store = await Store.open(Deno.args[0] ?? "");
const log = new CallLog(store, { onProblem: (message, facts) => console.error(message, facts) });
let recorded = 0;
let reported = 0;

setInterval(() => {
  for (let calls = 0; calls < 20; calls++) {
    log.record(sampleRow({ request_id: `r-${recorded++}`, request_at: Date.now() }));
  }
  const { written } = log.state;
  if (written > reported) console.log(reported = written);
}, 1);
