import assert from "node:assert/strict";
import fc from "fast-check";
import { until } from "@/tests/harness/until.ts";
import { Call } from "./call.ts";
import { Connection, type ConnectionOwner } from "./connection.ts";
import { DeadlineWatch } from "../deadlines.ts";
import type { UpstreamRequest } from "./request_head.ts";
import { post, request, text } from "./testing/calls.ts";
import { FakeSocket } from "./testing/fake_socket.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** A connection over a fake socket, and what its owner was told. */
class Rig implements ConnectionOwner {
  readonly name = "upstream.example:80";
  readonly idleLimit = 60_000;
  readonly watch = new DeadlineWatch();
  readonly socket = new FakeSocket();
  readonly connection: Connection;
  readonly told: string[] = [];

  constructor({ isPlain = true } = {}) {
    this.connection = new Connection({ socket: this.socket, address: "192.0.2.1" }, isPlain, this);
  }

  exchange(parts: Partial<UpstreamRequest> = {}) {
    return this.connection.exchange(new Call(request(parts)));
  }

  released(_: Connection, reusable: boolean): void {
    this.told.push(reusable ? "kept" : "ended");
  }

  lost(): void {
    this.told.push("lost");
  }

  /** Ends a call, so that the next one finds a kept connection. */
  async keep(): Promise<void> {
    this.socket.arrive(OK);
    await this.exchange();
    this.told.length = 0;
  }

  [Symbol.dispose](): void {
    this.connection.retire();
  }
}

/** What a caller gets of an answer that arrives in the given pieces: all of it, or a fault. */
async function seen(pieces: readonly string[], method: string): Promise<unknown> {
  using rig = new Rig();
  for (const piece of pieces) rig.socket.arrive(piece);
  rig.socket.arrive(null);
  try {
    const answer = await rig.exchange({ method });
    assert.ok(answer !== null);
    const { status, headers } = answer;
    return { status, headers, body: await text(answer) };
  } catch (error) {
    return String(error);
  }
}

/** `bytes` cut at the given places. */
function cut(bytes: string, places: readonly number[]): string[] {
  const cuts = [0, ...places.map((place) => place % bytes.length).sort((a, b) => a - b)];
  return cuts.map((from, index) => bytes.slice(from, cuts[index + 1])).filter((piece) =>
    piece !== ""
  );
}

const field = fc.tuple(
  fc.stringMatching(/^X-[a-z]{1,8}$/),
  fc.stringMatching(/^([!-~\x80-\xff]([ -~\x80-\xff]{0,20}[!-~\x80-\xff])?)?$/),
);
const content = fc.string({ unit: "binary-ascii", maxLength: 300 });

/** Answers of every framing, some of them broken by one changed byte. */
const answer = fc.record({
  interim: fc.boolean(),
  status: fc.constantFrom("200 OK", "404", "204 No Content", "500 Oh"),
  fields: fc.array(field, { maxLength: 5 }),
  framing: fc.constantFrom("length", "chunked", "close", "too long"),
  content: fc.array(content, { maxLength: 4 }),
  damage: fc.option(fc.tuple(fc.nat(), fc.constantFrom("\n", "\r", "\0", " ", "x")), { freq: 3 }),
}).map(({ interim, status, fields, framing, content, damage }) => {
  const body = content.join("");
  const chunks = content.filter((chunk) => chunk !== "")
    .map((chunk) => `${chunk.length.toString(16)};x=y\r\n${chunk}\r\n`).join("");
  const framed = {
    "length": `Content-Length: ${body.length}\r\n\r\n${body}`,
    "chunked": `Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\nX-Trailer: 1\r\n\r\n`,
    "close": `\r\n${body}`,
    "too long": `Content-Length: ${body.length + 1}\r\n\r\n${body}`,
  }[framing];
  const bytes = (interim ? "HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" : "") +
    `HTTP/1.1 ${status}\r\n${fields.map(([n, v]) => `${n}: ${v}\r\n`).join("")}${framed}`;
  if (damage === null) return bytes;
  const [place, byte] = damage;
  return bytes.slice(0, place % bytes.length) + byte + bytes.slice(place % bytes.length + 1);
});

Deno.test("however the bytes of an answer are cut into reads, the caller sees the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      answer,
      fc.array(fc.nat(2000), { minLength: 1, maxLength: 12 }),
      fc.constantFrom("GET", "HEAD"),
      async (bytes, places, method) => {
        assert.deepEqual(await seen(cut(bytes, places), method), await seen([bytes], method));
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("an answer that arrives byte by byte is understood", async () => {
  const bytes = "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n" +
    "HTTP/1.1 200 OK\r\nC: d\r\nTransfer-Encoding: chunked\r\n\r\n" +
    "3;e=f\r\nabc\r\n0b\r\ndefghijklmn\r\n0\r\nG: h\r\n\r\n";
  assert.deepEqual(await seen([...bytes], "GET"), {
    status: 200,
    headers: [["c", "d"]],
    body: "abcdefghijklmn",
  });
});

Deno.test("a connection that refuses the first bytes may be replaced, for any method", async () => {
  using rig = new Rig();
  await rig.keep();
  rig.socket.onWrite = () => {
    throw new Deno.errors.BrokenPipe("reset");
  };
  const call = new Call(post(["hello"], 5));
  assert.equal(await rig.connection.exchange(call), null);
  assert.equal(call.outcome, "running");
  assert.equal(call.request.body?.locked, false);
  assert.equal(rig.socket.isClosed, true);
  assert.deepEqual(rig.told, ["ended"]);
});

Deno.test("a connection that took some of the bytes is not replaced", async () => {
  using rig = new Rig();
  await rig.keep();
  let writes = 0;
  rig.socket.onWrite = () => {
    if (++writes > 1) throw new Deno.errors.BrokenPipe("reset");
    return 10; // of the head
  };
  await assert.rejects(rig.exchange({ method: "DELETE" }), { kind: "invalid_response" });
});

Deno.test("below TLS, what was refused may have been delivered", async () => {
  using rig = new Rig({ isPlain: false });
  await rig.keep();
  rig.socket.onWrite = () => {
    throw new Deno.errors.BrokenPipe("reset");
  };
  await assert.rejects(rig.exchange({ method: "POST" }), { kind: "invalid_response" });
});

Deno.test("a new connection that ends without an answer is not replaced", async () => {
  using rig = new Rig();
  rig.socket.arrive(null);
  await assert.rejects(rig.exchange(), { kind: "invalid_response" });
  assert.deepEqual(rig.told, ["ended"]);
});

Deno.test("an answer counts even when the upstream refused the rest of the body", async () => {
  using rig = new Rig();
  let writes = 0;
  rig.socket.onWrite = () => {
    if (++writes > 1) throw new Deno.errors.BrokenPipe("reset");
  };
  const exchanging = rig.connection.exchange(new Call(post(["hello"], 5)));
  await until(() => writes === 2);
  rig.socket.arrive("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
  const answer = await exchanging;
  assert.equal(answer?.status, 413);
  assert.deepEqual(rig.told, ["ended"]);
});

Deno.test("the next piece of a body is taken when the one before was written", async () => {
  using rig = new Rig();
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken++;
      controller.enqueue(new Uint8Array(1000));
    },
  }, { highWaterMark: 0 });
  const goOn = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let writes = 0;
  rig.socket.onWrite = () => goOn[++writes - 2]?.promise; // the head goes through
  const exchanging = rig.exchange({ method: "POST", body, bodyLength: null });
  await until(() => writes === 2);
  assert.equal(taken, 1);
  goOn[0]!.resolve();
  await until(() => writes === 3);
  assert.equal(taken, 2);
  rig.socket.arrive(OK);
  assert.equal(await text((await exchanging)!), "ok");
  goOn[1]!.resolve();
});

Deno.test("the next piece of an answer is read when the client has taken the one before", async () => {
  using rig = new Rig();
  rig.socket.arrive("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\nfirst");
  const { body } = (await rig.exchange())!;
  assert.ok(body instanceof ReadableStream);
  const reader = body.getReader();
  await reader.read();
  assert.equal(rig.socket.isReading, false);
  const second = reader.read();
  assert.equal(rig.socket.isReading, true);
  rig.socket.arrive("after");
  await second;
  assert.equal(rig.socket.isReading, false);
  await reader.cancel();
});

for (
  const [what, first, last] of [
    ["answer", "", OK],
    ["rest of an answer", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no", "k"],
  ] as const
) {
  Deno.test(`a call that is cancelled in the moment the ${what} arrives leaves no connection behind`, async () => {
    using rig = new Rig();
    const call = new Call(request());
    if (first !== "") rig.socket.arrive(first);
    const body = rig.connection.exchange(call).then((answer) => text(answer!));
    const ended = body.catch(() => "cancelled");
    await until(() => rig.socket.isReading);
    rig.socket.arrive(last);
    call.cancel();
    await ended;
    assert.equal(call.outcome, "aborted");
    assert.deepEqual(rig.told, ["ended"]);
    assert.ok(rig.socket.isClosed);
  });
}
