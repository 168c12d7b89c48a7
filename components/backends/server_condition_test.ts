import assert from "node:assert/strict";
import { mergeServerStates, type ServerState } from "@/gateway/upstream/server_state.ts";
import { serverCondition, serversCondition } from "./server_condition.ts";

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

Deno.test("how the servers of a backend fare together is told in a few words", () => {
  const inTwo = (name: string, ...conditions: ServerState["condition"][]) =>
    mergeServerStates(conditions.map((condition) => [{ ...up, name, condition }]));
  const together = (...servers: ReturnType<typeof inTwo>[]) => {
    const { tone, words } = serversCondition(servers.flat());
    return `${tone}: ${words}`;
  };
  const [a, b] = [inTwo("a:80", "up", "up"), inTwo("b:80", "up", "up")];
  assert.equal(together(a), "ok: Server up");
  assert.equal(together(inTwo("a:80", "left_out", "left_out")), "bad: Server left out");
  assert.equal(together(a, b), "ok: 2 servers up");
  const unhealthy = inTwo("c:80", "unhealthy", "unhealthy");
  assert.equal(together(a, b, unhealthy), "warn: 1 of 3 servers not up");
  const leftOut = inTwo("d:80", "left_out", "left_out");
  assert.equal(together(leftOut, unhealthy), "bad: 2 of 2 servers not up");
  assert.equal(together(leftOut, inTwo("e:80", "up", "left_out")), "warn: 2 of 2 servers not up");
});
