import assert from "node:assert/strict";
import { until } from "@/tests/harness/until.ts";
import { DeadlineWatch } from "../deadlines.ts";
import type { UpstreamGroupOptions } from "./group.ts";
import type { HealthCheckOptions } from "./health_check.ts";
import { ByteUpstream, closedPort } from "./testing/byte_upstream.ts";
import { TestGroup, text } from "./testing/calls.ts";

const CHECK: HealthCheckOptions = {
  path: "/health?deep=1",
  host: "api.example",
  interval: 10_000,
  timeout: 5000,
  healthyAfter: 2,
  unhealthyAfter: 3,
  expectedStatuses: [],
};

/** Answers calls with its name, and checks with whatever status it is told. */
class CheckedUpstream implements AsyncDisposable {
  /** What a check is answered: a status, nothing at all, or the end of the connection. */
  status: number | "silence" | "close" = 200;
  /** Heads of the checks so far. */
  readonly checks: string[] = [];
  readonly #upstream: ByteUpstream;

  constructor(name: string) {
    this.#upstream = new ByteUpstream(async (peer) => {
      for (;;) {
        const head = await peer.readHead().catch(() => null);
        if (head === null) return;
        if (!head.startsWith("GET /health")) {
          await peer.write(`HTTP/1.1 200 OK\r\nContent-Length: ${name.length}\r\n\r\n${name}`);
          continue;
        }
        this.checks.push(head);
        if (this.status === "close") return;
        if (this.status === "silence") await peer.readToEnd();
        else await peer.write(`HTTP/1.1 ${this.status} X\r\nContent-Length: 5\r\n\r\nhello`);
      }
    });
  }

  get server() {
    return this.#upstream.server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#upstream[Symbol.asyncDispose]();
  }
}

/** Time that passes when told, and as many checks with it as wanted. */
class Rig {
  #now = 0;
  readonly watch = new DeadlineWatch({ clock: () => this.#now });

  options(check: Partial<HealthCheckOptions> = {}): Partial<UpstreamGroupOptions> {
    return { watch: this.watch, healthCheck: { ...CHECK, ...check }, idleTimeout: Infinity };
  }

  pass(ms: number): void {
    this.#now += ms;
    this.watch.sweep();
  }

  /** Lets `count` checks of each server come to their end. */
  async checks(group: TestGroup, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const before = group.state().map(({ last_check }) => last_check);
      this.pass(11_001); // the interval with all its jitter
      await until(() => group.state().every(({ last_check }, i) => last_check !== before[i]));
    }
  }
}

function conditions(group: TestGroup): string {
  return group.state().map(({ condition }) => condition).join(" ");
}

async function answers(group: TestGroup, count: number): Promise<string> {
  let all = "";
  for (let i = 0; i < count; i++) all += await group.get().answer.then(text, () => "-");
  return all;
}

Deno.test("a check asks for the path and host, as Portico and for nobody", async () => {
  const rig = new Rig();
  await using a = new CheckedUpstream("a");
  using group = new TestGroup([a.server], rig.options());
  await rig.checks(group, 1);
  assert.deepEqual(a.checks, [
    "GET /health?deep=1 HTTP/1.1\r\nhost: api.example\r\nuser-agent: Portico health check\r\n" +
    "accept: */*\r\n\r\n",
  ]);
  const [state] = group.state();
  assert.equal(state?.last_check?.passed, true);
  assert.equal(state?.last_check?.message, "answered 200");
});

Deno.test("without a host of its own a check asks for the server's", async () => {
  const rig = new Rig();
  await using a = new CheckedUpstream("a");
  using group = new TestGroup([a.server], rig.options({ host: null }));
  await rig.checks(group, 1);
  assert.match(a.checks[0]!, new RegExp(`host: 127\\.0\\.0\\.1:${a.server.port}\r\n`));
});

Deno.test("a server gets no calls after three failed checks, and calls again after two passed", async () => {
  const rig = new Rig();
  await using a = new CheckedUpstream("a");
  await using b = new CheckedUpstream("b");
  using group = new TestGroup([a.server, b.server], rig.options());
  a.status = 500;
  await rig.checks(group, 2);
  assert.equal(await answers(group, 4), "abab");
  await rig.checks(group, 1);
  assert.equal(conditions(group), "unhealthy up");
  assert.equal(await answers(group, 4), "bbbb");
  a.status = 200;
  await rig.checks(group, 1);
  assert.equal(await answers(group, 4), "bbbb");
  await rig.checks(group, 1);
  assert.equal(conditions(group), "up up");
  assert.equal(await answers(group, 4), "abab");
});

Deno.test("only checks in a row count", async () => {
  const rig = new Rig();
  await using a = new CheckedUpstream("a");
  using group = new TestGroup([a.server], rig.options());
  for (const status of [500, 500, 200, 503, 503]) {
    a.status = status;
    await rig.checks(group, 1);
  }
  assert.equal(conditions(group), "up");
});

Deno.test("an unhealthy server gets calls when no other remains", async () => {
  const rig = new Rig();
  await using a = new CheckedUpstream("a");
  using group = new TestGroup([a.server], rig.options({ unhealthyAfter: 1 }));
  a.status = 404;
  await rig.checks(group, 1);
  assert.equal(conditions(group), "unhealthy");
  assert.equal(await answers(group, 2), "aa");
});

Deno.test("a check fails that is not answered in time, or not at all", async () => {
  const rig = new Rig();
  await using a = new CheckedUpstream("a");
  using group = new TestGroup([a.server], rig.options({ unhealthyAfter: 2 }));
  a.status = "close";
  await rig.checks(group, 1);
  assert.match(group.state()[0]!.last_check!.message, /closed the connection without an answer/);
  a.status = "silence";
  const before = a.checks.length;
  rig.pass(11_001);
  await until(() => a.checks.length === before + 1);
  rig.pass(5000);
  await until(() => conditions(group) === "unhealthy");
  assert.match(group.state()[0]!.last_check!.message, /not done with the call within 5 s/);
});

Deno.test("only the expected statuses pass", async () => {
  const rig = new Rig();
  await using a = new CheckedUpstream("a");
  using group = new TestGroup(
    [a.server],
    rig.options({ expectedStatuses: [204, 401], unhealthyAfter: 1, healthyAfter: 1 }),
  );
  for (
    const [status, condition] of [[200, "unhealthy"], [401, "up"], [302, "unhealthy"]] as const
  ) {
    a.status = status;
    await rig.checks(group, 1);
    assert.equal(conditions(group), condition);
  }
});

Deno.test("a server that cannot be connected to fails its checks", async () => {
  const rig = new Rig();
  const server = { host: "127.0.0.1", port: closedPort() };
  using group = new TestGroup([server], rig.options({ unhealthyAfter: 1 }));
  await rig.checks(group, 1);
  const [state] = group.state();
  assert.equal(state?.condition, "unhealthy");
  assert.match(state.last_check!.message, /cannot be reached/);
  assert.equal(state.last_failure!.message, state.last_check!.message);
});

Deno.test("a closed group checks no more, and gives up the check on its way", async () => {
  const rig = new Rig();
  await using a = new CheckedUpstream("a");
  a.status = "silence";
  const group = new TestGroup([a.server], rig.options());
  rig.pass(11_001);
  await until(() => a.checks.length === 1);
  group.close();
  await until(() => group.state()[0]!.busy === 0);
  rig.pass(60_000);
  assert.equal(a.checks.length, 1); // and a timer that went on would fail this test
});
