import assert from "node:assert/strict";
import type { Logger } from "../process/logger.ts";
import { ByteUpstream, closedPort } from "../upstream/testing/byte_upstream.ts";
import { request, text } from "../upstream/testing/calls.ts";
import { UpstreamPools } from "./upstream_pools.ts";
import type { UpstreamSpec } from "./upstream_spec.ts";

const SPEC: UpstreamSpec = {
  servers: [{ host: "192.0.2.1", port: 80 }],
  algorithm: "least_conn",
  tls: null,
  dnsMaxAge: 30_000,
  healthCheck: null,
};

/** What was logged. */
let logged: string[] = [];
const log: Logger = {
  debug() {},
  info: (message, facts) => logged.push(`${message} ${JSON.stringify(facts)}`),
  warn: (message, facts) => logged.push(`${message} ${JSON.stringify(facts)}`),
  error() {},
};

Deno.test("a backend whose servers stay as they were keeps its group", () => {
  const pools = new UpstreamPools(log);
  const first = pools.during((groupOf) => groupOf("a", SPEC));
  assert.equal(pools.during((groupOf) => groupOf("a", structuredClone(SPEC))), first);
  assert.notEqual(
    pools.during((groupOf) => groupOf("a", { ...SPEC, algorithm: "ip_hash" })),
    first,
  );
});

Deno.test("when compiling fails, the groups that were there stay", () => {
  const pools = new UpstreamPools(log);
  const first = pools.during((groupOf) => groupOf("a", SPEC));
  assert.throws(() =>
    pools.during(() => {
      throw new Error("no");
    })
  );
  assert.equal(pools.during((groupOf) => groupOf("a", SPEC)), first);
});

Deno.test("the states of a backend's servers are found by the backend", () => {
  const pools = new UpstreamPools(log);
  pools.during((groupOf) => {
    groupOf("a", SPEC);
    groupOf("b", { ...SPEC, servers: [{ host: "192.0.2.2", port: 80 }] });
  });
  const states = pools.serverStates(["b", "c"]);
  assert.deepEqual([...states.keys()], ["b"]);
  assert.deepEqual(states.get("b")?.map(({ name }) => name), ["192.0.2.2:80"]);
  pools.close();
  assert.equal(pools.serverStates(["b"]).size, 0);
});

Deno.test("a server that fails is told in the log once, and once that it is back", async () => {
  logged = [];
  const server = { host: "127.0.0.1", port: closedPort() };
  const pools = new UpstreamPools(log);
  const group = pools.during((groupOf) => groupOf("backend-1", { ...SPEC, servers: [server] }));
  for (let i = 0; i < 2; i++) await assert.rejects(group.send(request()).answer);
  const listener = Deno.listen({ hostname: server.host, port: server.port });
  await using _ = new ByteUpstream(async (peer) => {
    for (let i = 0; i < 2; i++) {
      await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }
    await peer.readToEnd();
  }, listener);
  for (let i = 0; i < 2; i++) assert.equal(await text(await group.send(request()).answer), "ok");
  pools.close();
  const [out, back, ...more] = logged;
  const name = `127.0.0.1:${server.port}`;
  assert.match(out!, /^a server is left out .*cannot be reached/);
  assert.equal(back, `a server is back {"backend":"backend-1","server":"${name}"}`);
  assert.deepEqual(more, []);
});
