import assert from "node:assert/strict";
import { until } from "@/tests/harness/until.ts";
import type { CallOutcome } from "./call.ts";
import { ByteUpstream, closedPort, type Peer, type Script } from "./testing/byte_upstream.ts";
import { post, request, TestGroup, text } from "./testing/calls.ts";

const CALLS = 100_000;
const CALLERS = 32;

/** What the upstream does with a call, by its path. Those that return end the connection. */
const manners: Record<string, (peer: Peer) => Promise<"goes on" | void>> = {
  async "/ok"(peer) {
    await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    return "goes on";
  },
  async "/pieces"(peer) {
    await peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    await peer.write("2\r\nok\r\n0\r\n\r\n");
    return "goes on";
  },
  async "/echo"(peer) {
    const body = await peer.readThrough("0\r\n\r\n");
    await peer.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
    return "goes on";
  },
  "/until-close": (peer) => peer.write("HTTP/1.1 200 OK\r\n\r\nok"),
  "/cut": (peer) => peer.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok"),
  "/garbage": (peer) => peer.write("HTTP/1.1 200 OK\nContent-Length: 2\n\nok"),
  "/refusal": (peer) => peer.write("HTTP/1.1 413 No\r\nConnection: close\r\n\r\nno"),
  "/nothing": () => Promise.resolve(),
  async "/endless"(peer) {
    await peer.write("HTTP/1.1 200 OK\r\n\r\nok");
    await peer.readToEnd();
  },
};

const upstreamScript: Script = async (peer) => {
  try {
    for (;;) {
      const [, path = ""] = (await peer.readHead()).split(" ");
      if (await manners[path]!(peer) === undefined) return;
    }
  } catch {
    // The connection has ended, as it may at any time here.
  }
};

/** Sockets that this process holds, where the system tells. */
function openSockets(): number {
  if (Deno.build.os !== "linux") return 0;
  return [...Deno.readDirSync("/proc/self/fd")].filter(({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith("socket:");
    } catch {
      return false; // of reading the folder itself
    }
  }).length;
}

Deno.test("100,000 mixed calls and faults leave no socket, no timer and no promise behind", async () => {
  const before = openSockets();
  const tally: Record<CallOutcome, number> = { running: 0, complete: 0, aborted: 0 };
  const ended = ({ outcome }: { readonly outcome: CallOutcome }) => void tally[outcome]++;
  {
    await using upstream = new ByteUpstream(upstreamScript);
    using group = new TestGroup([upstream], { timeouts: { total: 60_000 } });
    using halfDead = new TestGroup([{ host: "127.0.0.1", port: closedPort() }, upstream]);

    const ask = (target: string) => group.send(request({ target }), ended);
    const fails = (target: string) => () =>
      assert.rejects(async () => await text(await ask(target).answer), { name: "UpstreamFault" });
    const says = (target: string) => async () =>
      assert.equal(await text(await ask(target).answer), "ok");
    const faults = [
      fails("/cut"),
      fails("/garbage"),
      fails("/nothing"),
      says("/until-close"),
      async () =>
        assert.equal(
          await text(await halfDead.send(request({ target: "/ok" }), ended).answer),
          "ok",
        ),
      async () => {
        const call = ask("/ok");
        call.cancel();
        await assert.rejects(call.answer, { kind: "client_aborted" });
      },
      async () => {
        const call = ask("/endless");
        await call.answer;
        call.cancel();
      },
      async () => {
        const call = group.send({ ...post(["a", "b"], null), target: "/echo" }, ended);
        assert.equal(await text(await call.answer), "ab");
      },
      async () => {
        const call = group.send({ ...post(["x"], 2), target: "/echo" }, ended);
        await assert.rejects(call.answer, { kind: "client_aborted" });
      },
      async () => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => controller.enqueue(new Uint8Array(100)), // and no more comes
        });
        const target = "/refusal";
        const call = group.send(request({ method: "POST", target, body, bodyLength: null }), ended);
        await call.answer.then(text, () => {}); // the connection may be reset under the answer
      },
    ];
    const usual = [says("/ok"), says("/ok"), says("/pieces")];

    let started = 0;
    await Promise.all(Array.from({ length: CALLERS }, async () => {
      while (started < CALLS) {
        const turn = started++;
        const kinds = turn % 10 === 0 ? faults : usual;
        await kinds[Math.floor(turn / 10) % kinds.length]!();
      }
    }));
    assert.equal(tally.complete + tally.aborted, CALLS);
    assert.ok(group.idleConnections <= CALLERS);
  }
  // Timers and promises are counted by the test runner, which fails a test that leaves some.
  await until(() => openSockets() === before, "the last socket to be closed");
});
