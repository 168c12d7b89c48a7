import assert from "node:assert/strict";
import { HealthReports } from "./health_reports.ts";
import type { ServerState } from "./server_state.ts";

const state = (name: string, condition: ServerState["condition"]): ServerState => ({
  name,
  addresses: [],
  dns_failure: null,
  busy: 0,
  idle: 0,
  condition,
  failures: condition === "up" ? 0 : 1,
  left_out_until: null,
  last_failure: null,
  last_check: null,
});

const conditions = (servers: readonly { name: string; condition: string }[] = []) =>
  servers.map(({ name, condition }) => `${name} ${condition}`);

Deno.test("what isolates tell of a backend is one report, of each backend its own", async () => {
  const reports = new HealthReports();
  reports.feedFrom(() =>
    Promise.resolve([
      new Map([["a", [state("x:80", "up"), state("y:80", "left_out")]]]),
      new Map([["a", [state("x:80", "left_out")]], ["b", [state("z:80", "up")]]]),
    ])
  );
  const health = await reports.of(["a", "b", "c"]);
  assert.deepEqual(conditions(health.get("a")), ["x:80 partly_up", "y:80 left_out"]);
  assert.deepEqual(conditions(health.get("b")), ["z:80 up"]);
  assert.deepEqual(health.get("c"), []);
});

Deno.test("while nobody serves, no server is known", async () => {
  assert.deepEqual(await new HealthReports().ofOne("a"), []);
});
