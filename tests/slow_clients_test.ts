/**
 * Thousands of clients that connect and send next to nothing, while others are served:
 * a real gateway, real connections.
 */
import assert from "node:assert/strict";
import { type AdminClient, setUp } from "./harness/admin.ts";
import { Load } from "./harness/load.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { parseAnswer, RawConnection } from "./harness/raw.ts";
import { until } from "./harness/until.ts";
import { startUpstream, type Upstream } from "./harness/upstream.ts";

const open = { settings: { disable_api_key: true, rate_limit_mode: "unlimited" } };
const HEAD = "GET /open/ HTTP/1.1\r\nHost: a.example\r\nX-Slow: ";
const BODY = "POST /open/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: 100000\r\n\r\n";

/** Connections that have sent a piece of a request, and send a byte now and then. */
class Tricklers implements AsyncDisposable {
  readonly #connections: RawConnection[] = [];
  readonly #reading: Promise<void>[] = [];
  readonly #trickling: Promise<void>;
  /** What came back, by status; 0 for a connection that was closed without an answer. */
  readonly answers = new Map<number, number>();
  #isOver = false;

  constructor() {
    this.#trickling = this.#trickle();
  }

  /** Opens so many more; those that the server does not take count as closed. */
  async open(port: number, count: number, piece: string): Promise<void> {
    for (let left = count; left > 0; left -= 50) {
      await Promise.all(Array.from({ length: Math.min(left, 50) }, () => this.#one(port, piece)));
    }
  }

  async #one(port: number, piece: string): Promise<void> {
    try {
      const connection = await RawConnection.open(port);
      this.#connections.push(connection);
      this.#reading.push(this.#read(connection));
      await connection.send(piece);
    } catch {
      this.#count(0);
    }
  }

  async #read(connection: RawConnection): Promise<void> {
    const text = await connection.readUntil((text) => text.includes("\r\n\r\n"));
    if (!this.#isOver) this.#count(parseAnswer(text).status);
  }

  #count(status: number): void {
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
  }

  async #trickle(): Promise<void> {
    while (!this.#isOver) {
      for (const connection of this.#connections) await connection.send("s").catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await this.#trickling;
    for (const connection of this.#connections) connection[Symbol.dispose]();
    await Promise.all(this.#reading);
  }
}

async function serve(upstream: Upstream, config: string, under: readonly string[] = []) {
  const portico = await startPortico({ config: `workers: 1\n${config}`, under });
  const admin = await setUp(portico);
  await admin.addBackend(upstream.port, "/open/", open);
  await admin.publish("/open/");
  return { portico, admin };
}

/** Some callers of the gateway, each with a call in flight all the time. */
function callers(portico: RunningPortico): Load {
  return new Load(() => `${portico.url()}/open/`, {}, 8);
}

/** Ends the load; every call must have gone well. */
async function expectNoFailure(load: Load): Promise<void> {
  const { calls, failures } = await load.stop();
  assert.deepEqual(failures.slice(0, 3), []);
  assert.ok(calls > 0);
}

Deno.test("3,000 heads and 500 bodies that trickle keep nobody from being served", async () => {
  await using upstream = await startUpstream();
  const { portico, admin } = await serve(
    upstream,
    "client: { body_timeout_seconds: 2, body_min_bytes_per_second: 1000 }\n",
  );
  await using _ = portico;
  const load = callers(portico);
  {
    await using tricklers = new Tricklers();
    await tricklers.open(portico.port, 3000, HEAD);
    await tricklers.open(portico.port, 500, BODY);
    const before = load.calls;
    await until(() => load.calls >= before + 500, "500 calls beside 3,500 slow clients", 120_000);
    await until(() => tricklers.answers.get(408) === 500, "408 for each body", 120_000);
    assert.deepEqual([...tricklers.answers], [[408, 500]]);
  }
  await expectNoFailure(load);
  await admin.expect(200, "GET", "/backends");
});

/** Calls once, and once more on a new connection if the one that was kept had been closed. */
async function callAgain(url: string): Promise<number> {
  for (let attempt = 0;; attempt++) {
    try {
      const response = await fetch(url);
      await response.body?.cancel();
      return response.status;
    } catch (error) {
      if (attempt === 1) throw error; // RFC 9112 §9.3.1: an idempotent request may be repeated
    }
  }
}

Deno.test("when there are too many connections, those without a call are closed", async () => {
  const answer = Promise.withResolvers<void>();
  await using upstream = await startUpstream(async (request, response) => {
    if (request.url === "/slow") await answer.promise;
    response.end("done");
  });
  const { portico } = await serve(upstream, "client: { max_idle_connections: 1000 }\n");
  await using _ = portico;
  const url = `${portico.url()}/open/`;
  const inFlight = fetch(`${url}slow`);
  await using tricklers = new Tricklers();
  await tricklers.open(portico.port, 1500, HEAD);
  await until(async () => {
    assert.equal(await callAgain(url), 200);
    // Some of the 1,000 are the process's own files.
    return (tricklers.answers.get(0) ?? 0) >= 900;
  }, "connections to be closed");
  answer.resolve();
  assert.equal(await (await inFlight).text(), "done");
  assert.match(portico.output, /too many connections/);
});

Deno.test("a process that has run out of files goes on serving", async () => {
  await using upstream = await startUpstream();
  const { portico, admin } = await serve(upstream, "", [
    "sh",
    "-c",
    'ulimit -n 500; exec "$@"',
    "sh",
  ]);
  await using _ = portico;
  {
    await using tricklers = new Tricklers();
    await tricklers.open(portico.port, 1000, HEAD);
    await until(() => (tricklers.answers.get(0) ?? 0) > 0, "connections to be closed");
    await expectServed(admin, `${portico.url()}/open/`);
  }
  await expectServed(admin, `${portico.url()}/open/`);
});

/** Calls and the admin are served again, which may take until connections were closed. */
async function expectServed(admin: AdminClient, url: string): Promise<void> {
  const calls = () => Promise.all(Array.from({ length: 50 }, () => callAgain(url)));
  await until(
    () => calls().then((statuses) => statuses.every((status) => status === 200), () => false),
    "50 calls at one time",
  );
  await until(
    () =>
      admin.call("GET", "/backends").then(({ status, body }) => {
        body?.cancel();
        return status === 200;
      }, () => false),
    "the admin",
  );
}

/** An upstream that holds back its answers to `/slow`. */
async function startHolding() {
  const held: (() => void)[] = [];
  const upstream = await startUpstream((request, response) => {
    if (request.url === "/slow") held.push(() => response.end("done"));
    else response.end("done");
  });
  return Object.assign(upstream, { held });
}

Deno.test("calls over max_calls get 503, the admin is served, and so are calls later", async () => {
  await using upstream = await startHolding();
  const { portico, admin } = await serve(upstream, "client: { max_calls: 2 }\n");
  await using _ = portico;
  const url = `${portico.url()}/open/`;
  const slow = [fetch(`${url}slow`), fetch(`${url}slow`)];
  await until(() => upstream.held.length === 2, "two calls in flight");
  const refused = await fetch(url);
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.equal((await refused.json()).error.code, "SERVER_BUSY");
  await admin.expect(200, "GET", "/backends");
  for (const goOn of upstream.held) goOn();
  for (const call of slow) assert.equal(await (await call).text(), "done");
  assert.equal(await callAgain(url), 200);
  const query = "gatekeeper_denied_code=server_busy";
  await until(async () => (await admin.logs(query)).length === 1, "the refusal in the log");
});

Deno.test("an address over its own limit of calls gets 429, others are served", async () => {
  await using upstream = await startHolding();
  const { portico } = await serve(
    upstream,
    'client: { max_calls_per_address: 1 }\nrouter: { trusted_proxies: ["127.0.0.1", "::1"] }\n',
  );
  await using _ = portico;
  const url = `${portico.url()}/open/`;
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
  const slow = fetch(`${url}slow`, from("192.0.2.1"));
  await until(() => upstream.held.length === 1, "a call in flight");
  const refused = await fetch(url, from("192.0.2.1"));
  assert.equal(refused.status, 429);
  assert.equal((await refused.json()).error.code, "TOO_MANY_CALLS");
  assert.equal(await (await fetch(url, from("192.0.2.2"))).text(), "done");
  for (const goOn of upstream.held) goOn();
  assert.equal(await (await slow).text(), "done");
  assert.equal(await (await fetch(url, from("192.0.2.1"))).text(), "done");
});

Deno.test("an upload in flight is finished when the server is told to stop", async () => {
  await using upstream = await startUpstream();
  const { portico } = await serve(upstream, "");
  await using _ = portico;
  using connection = await RawConnection.open(portico.port);
  const arrived = new Promise((resolve) => upstream.server.once("request", resolve));
  await connection.send(BODY + "b".repeat(50_000));
  await arrived;
  portico.signal("SIGTERM");
  await until(() => portico.output.includes("stopping"), "the signal to be seen");
  using late = await RawConnection.open(portico.port);
  await late.send("GET /open/ HTTP/1.1\r\nHost: a.example\r\n\r\n");
  const refused = parseAnswer(await late.readUntil((text) => text.endsWith("}")));
  assert.equal(refused.status, 503);
  await connection.send("b".repeat(50_000));
  const answer = parseAnswer(await connection.readUntil((text) => text.includes("0\r\n\r\n")));
  assert.equal(answer.status, 200);
  assert.equal((await portico.ended()).code, 0);
});
