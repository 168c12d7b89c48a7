import assert from "node:assert/strict";
import { mergeServerStates, type ServerState } from "@/gateway/upstream/server_state.ts";
import { serverCondition } from "./server_condition.ts";

const up: ServerState = {
  name: "a.example:80",
  addresses: [],
  dns_failure: null,
  busy: 0,
  idle: 0,
  condition: "up",
  failures: 0,
  left_out_until: null,
  last_failure: null,
  last_check: null,
};

function words(...states: ServerState[]): string {
  const [server] = mergeServerStates(states.map((state) => [state]));
  assert.ok(server);
  const { tone, word, detail } = serverCondition(server);
  return [tone, word, ...(detail === null ? [] : [detail])].join(": ");
}

Deno.test("a server's condition is told with what it means", () => {
  assert.equal(words(up, up), "ok: Up");
  assert.equal(
    words({ ...up, condition: "left_out", failures: 1 }),
    "bad: Left out: failed once",
  );
  assert.equal(
    words({ ...up, condition: "left_out", failures: 3 }),
    "bad: Left out: failed 3 times in a row",
  );
  assert.equal(words({ ...up, condition: "unhealthy" }), "bad: Unhealthy: fails its checks");
  assert.equal(
    words(up, { ...up, condition: "unhealthy" }, up),
    "warn: Partly up: in 2 of 3 workers",
  );
});
