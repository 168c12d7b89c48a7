import assert from "node:assert/strict";
import { UpstreamPools } from "./upstream_pools.ts";
import type { UpstreamSpec } from "./upstream_spec.ts";

const SPEC: UpstreamSpec = {
  servers: [{ host: "192.0.2.1", port: 80 }],
  algorithm: "least_conn",
  tls: null,
  timeouts: { connect: 1000, read: 1000, send: 1000, total: null },
  dnsMaxAge: 30_000,
  healthCheck: null,
};

Deno.test("a backend whose servers stay as they were keeps its group", () => {
  const pools = new UpstreamPools();
  const first = pools.during((groupOf) => groupOf("a", SPEC));
  assert.equal(pools.during((groupOf) => groupOf("a", structuredClone(SPEC))), first);
  assert.notEqual(
    pools.during((groupOf) => groupOf("a", { ...SPEC, algorithm: "ip_hash" })),
    first,
  );
});

Deno.test("when compiling fails, the groups that were there stay", () => {
  const pools = new UpstreamPools();
  const first = pools.during((groupOf) => groupOf("a", SPEC));
  assert.throws(() =>
    pools.during(() => {
      throw new Error("no");
    })
  );
  assert.equal(pools.during((groupOf) => groupOf("a", SPEC)), first);
});

Deno.test("the states of a backend's servers are found by the backend", () => {
  const pools = new UpstreamPools();
  pools.during((groupOf) => {
    groupOf("a", SPEC);
    groupOf("b", { ...SPEC, servers: [{ host: "192.0.2.2", port: 80 }] });
  });
  assert.deepEqual(pools.serverStates("b").map(({ name }) => name), ["192.0.2.2:80"]);
  assert.deepEqual(pools.serverStates("c"), []);
  pools.close();
  assert.deepEqual(pools.serverStates("b"), []);
});
