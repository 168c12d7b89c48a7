import assert from "node:assert/strict";
import { until } from "@/tests/harness/until.ts";
import { DeadlineWatch } from "../deadlines.ts";
import { ByteUpstream, closedPort, type Script } from "./testing/byte_upstream.ts";
import { post, TestGroup, text } from "./testing/calls.ts";

/** Answers any number of calls without a body with the given text. */
function saying(word: string): Script {
  return async (peer) => {
    for (;;) {
      const head = await peer.readHead().catch(() => null);
      if (head === null) return;
      await peer.write(`HTTP/1.1 200 OK\r\nContent-Length: ${word.length}\r\n\r\n${word}`);
    }
  };
}

/** A port on which a server starts to listen later, and stops with the test. */
class LateUpstream implements AsyncDisposable {
  readonly server = unused();
  #upstream: ByteUpstream | null = null;

  start(script: Script): void {
    const { host: hostname, port } = this.server;
    this.#upstream = new ByteUpstream(script, Deno.listen({ hostname, port }));
  }

  get connections(): number {
    return this.#upstream?.connections ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#upstream?.[Symbol.asyncDispose]();
  }
}

function unused(): { host: string; port: number } {
  return { host: "127.0.0.1", port: closedPort() };
}

/** What `count` calls one after the other are answered. */
async function answers(group: TestGroup, count: number): Promise<string> {
  let all = "";
  for (let i = 0; i < count; i++) all += await text(await group.get().answer);
  return all;
}

Deno.test("round robin asks each server in turn", async () => {
  await using a = new ByteUpstream(saying("a"));
  await using b = new ByteUpstream(saying("b"));
  await using c = new ByteUpstream(saying("c"));
  using group = new TestGroup([a, b, c], { algorithm: "round_robin" });
  assert.equal(await answers(group, 7), "abcabca");
});

Deno.test("least connections asks the server with the fewest calls", async () => {
  const goOn = Promise.withResolvers<void>();
  await using slow = new ByteUpstream(async (peer) => {
    await peer.readHead();
    await goOn.promise;
    await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow");
    await peer.readToEnd();
  });
  await using fast = new ByteUpstream(saying("f"));
  using group = new TestGroup([slow, fast], { algorithm: "least_conn" });
  const held = group.get();
  assert.equal(await answers(group, 5), "fffff");
  goOn.resolve();
  assert.equal(await text(await held.answer), "slow");
});

Deno.test("least connections counts an answer until its body was read", async () => {
  await using a = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na");
    await peer.readToEnd();
  });
  await using b = new ByteUpstream(saying("b"));
  using group = new TestGroup([a, b], { algorithm: "least_conn" });
  const streamed = group.get();
  await streamed.answer;
  assert.equal(await answers(group, 3), "bbb");
  streamed.cancel();
});

Deno.test("a server that refuses connections is passed over, for any method", async () => {
  const bodies: string[] = [];
  await using alive = new ByteUpstream(async (peer) => {
    for (;;) {
      if (await peer.readHead().catch(() => null) === null) return;
      bodies.push(await peer.readBytes(5));
      await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    }
  });
  using group = new TestGroup([unused(), alive, unused()]);
  for (let i = 0; i < 6; i++) {
    const call = group.send(post(["hello"], 5));
    assert.equal(await text(await call.answer), "ok");
    assert.equal(call.server, `127.0.0.1:${alive.port}`);
  }
  assert.deepEqual(bodies, Array(6).fill("hello"));
});

Deno.test("with no server to connect to, a call is unreachable", async () => {
  const last = unused();
  using group = new TestGroup([unused(), last]);
  const call = group.get();
  await assert.rejects(call.answer, {
    name: "UpstreamFault",
    kind: "unreachable",
    server: `127.0.0.1:${last.port}`,
    message: /^127\.0\.0\.1:\d+ cannot be reached: /,
  });
  assert.equal(call.outcome, "aborted");
  await assert.rejects(group.get().answer, { kind: "unreachable" });
});

Deno.test("a host that does not exist is unreachable", async () => {
  using group = new TestGroup([{ host: "does-not-exist.invalid", port: 80 }]);
  await assert.rejects(group.get().answer, { kind: "unreachable" });
});

Deno.test("the only server is tried by every call, and used again as soon as it is back", async () => {
  await using late = new LateUpstream();
  using group = new TestGroup([late.server]);
  for (let i = 0; i < 3; i++) await assert.rejects(group.get().answer, { kind: "unreachable" });
  late.start(saying("a"));
  assert.equal(await answers(group, 2), "aa");
});

Deno.test("a server that failed is left out, then tried by one call, then used again", async () => {
  let now = 0;
  const watch = new DeadlineWatch({ clock: () => now });
  await using a = new LateUpstream();
  await using b = new ByteUpstream(saying("b"));
  using group = new TestGroup([a.server, b], { watch });
  assert.equal(await answers(group, 1), "b");
  a.start(saying("a"));
  now = 999;
  assert.equal(await answers(group, 4), "bbbb");
  assert.equal(a.connections, 0);
  now = 1000;
  const together = await Promise.all(
    Array.from({ length: 5 }, async () => await text(await group.get().answer)),
  );
  assert.deepEqual(together.toSorted(), ["a", "b", "b", "b", "b"]);
  assert.equal((await answers(group, 4)).split("").toSorted().join(""), "aabb");
});

Deno.test("a server that goes on failing is left out for longer and longer", async () => {
  let now = 0;
  const watch = new DeadlineWatch({ clock: () => now });
  await using a = new LateUpstream();
  await using b = new ByteUpstream(saying("b"));
  using group = new TestGroup([a.server, b], { watch });
  await answers(group, 2); // fails: left out for 1 s
  now = 1000;
  await answers(group, 2); // fails again: for 2 s more
  a.start(saying("a"));
  now = 2999;
  assert.equal(await answers(group, 4), "bbbb");
  now = 3000;
  assert.match(await answers(group, 4), /a/);
  assert.equal(a.connections, 1);
});

Deno.test("calls that fail together count as one failure", async () => {
  let now = 0;
  const watch = new DeadlineWatch({ clock: () => now });
  await using a = new LateUpstream();
  await using b = new ByteUpstream(saying("b"));
  using group = new TestGroup([a.server, b], { watch });
  await Promise.all(Array.from({ length: 20 }, () => group.get().answer));
  a.start(saying("a"));
  now = 1000;
  assert.match(await answers(group, 4), /a/);
});

Deno.test("an IPv6 literal is taken with and without brackets", async (t) => {
  let listener: Deno.Listener;
  try {
    listener = Deno.listen({ hostname: "::1", port: 0 });
  } catch {
    return void await t.step({ name: "no IPv6 here", ignore: true, fn() {} });
  }
  await using upstream = new ByteUpstream(saying("6"), listener);
  for (const host of ["::1", "[::1]"]) {
    using group = new TestGroup([{ host, port: upstream.port }]);
    const call = group.get();
    assert.equal(await text(await call.answer), "6");
    assert.equal(call.server, `[::1]:${upstream.port}`);
    await until(() => group.idleConnections === 1);
  }
});

/** Takes calls and ends the connection without an answer, until it is told to answer. */
function breaking(isAnswering: () => boolean): Script {
  return async (peer) => {
    while (await peer.readHead().then(() => true, () => false)) {
      if (!isAnswering()) return;
      await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na");
    }
  };
}

/** How many of `count` calls one after the other were answered, and by whom. */
async function outcomes(group: TestGroup, count: number): Promise<string> {
  let all = "";
  for (let i = 0; i < count; i++) all += await group.get().answer.then(text, () => "-");
  return all;
}

Deno.test("a server that ends three calls in a row without an answer is left out", async () => {
  let now = 0;
  let isAnswering = false;
  const watch = new DeadlineWatch({ clock: () => now });
  await using a = new ByteUpstream(breaking(() => isAnswering));
  await using b = new ByteUpstream(saying("b"));
  using group = new TestGroup([a, b], { watch });
  assert.equal(await outcomes(group, 8), "-b-b-bbb");
  now = 1000;
  assert.equal(await outcomes(group, 4), "-bbb"); // tried by one call, then left out for longer
  isAnswering = true;
  now = 2999;
  assert.equal(await outcomes(group, 2), "bb");
  now = 3000;
  assert.equal(await outcomes(group, 4), "abab");
});

Deno.test("a server that answers between its faults is not left out", async () => {
  let calls = 0;
  await using a = new ByteUpstream(breaking(() => ++calls % 3 === 0));
  await using b = new ByteUpstream(saying("b"));
  using group = new TestGroup([a, b], { maxIdlePerServer: 0 });
  assert.equal(await outcomes(group, 12), "-b-bab-b-bab");
});

Deno.test("a server that is slow to answer is not left out", async () => {
  let now = 0;
  const watch = new DeadlineWatch({ clock: () => now });
  await using a = new ByteUpstream(async (peer, index) => {
    if (index < 4) {
      await peer.readHead();
      now += 60_000;
      watch.sweep();
      await peer.readToEnd();
    } else await saying("a")(peer, index);
  });
  await using b = new ByteUpstream(saying("b"));
  using group = new TestGroup([a, b], { watch, idleTimeout: Infinity });
  assert.equal(await outcomes(group, 10), "-b-b-b-bab");
});
