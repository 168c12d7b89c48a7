import assert from "node:assert/strict";
import { startUpstream } from "../../tests/harness/upstream.ts";
import { until } from "../../tests/harness/until.ts";
import { load } from "../config/testing.ts";
import { openPortico, type Portico } from "../portico.ts";
import { createLog } from "../process/logger.ts";
import { ListenError } from "../serve/listeners.ts";
import { Store } from "../store/store.ts";
import type { Failing } from "./failing_entry.ts";
import { ServingIsolates } from "./serving_isolates.ts";

const failing = { entry: new URL("./failing_entry.ts", import.meta.url), beatPeriod: 400 };

interface Scene {
  readonly portico: Portico;
  readonly isolates: ServingIsolates;
  readonly url: string;
  /** Lets the calls go on that the upstream holds back because they ask for it (`X-Hold`). */
  readonly held: readonly (() => void)[];
  /** What the server has logged. */
  readonly lines: readonly string[];
}

/** Two isolates in front of an upstream at `/api/`, which needs no key. */
async function withIsolates(
  work: (scene: Scene) => Promise<void>,
  page: () => Response | Promise<Response> = () => new Response("page"),
): Promise<void> {
  const held: (() => void)[] = [];
  await using upstream = await startUpstream((request, response) => {
    if (request.headers["x-hold"] === undefined) response.end("now");
    else held.push(() => response.end("later"));
  });
  const { config } = await load({
    file: `
kv: ":memory:"
http_port: 0
workers: 2
drain_seconds: 5
default_api_backend_settings: { rate_limit_mode: unlimited, disable_api_key: true }
apis:
  - name: API
    servers: [{ host: 127.0.0.1, port: ${upstream.port} }]
    url_matches: [{ frontend_prefix: /api/, backend_prefix: / }]
`,
  });
  const lines: string[] = [];
  const log = createLog({ level: "info", terminal: true, write: (line) => lines.push(line) });
  const portico = await openPortico(config, await Store.open(":memory:"), log);
  const isolates = new ServingIsolates(portico, page, null, failing);
  try {
    await isolates.start();
    await work({ portico, isolates, held, url: String(isolates.urls[0]), lines });
  } finally {
    await isolates.stop();
    await portico.close();
  }
}

/** A call on a connection of its own: its status, and who answered; null when nobody did. */
async function call(url: string, headers: Record<string, string> = {}) {
  try {
    const response = await fetch(`${url}api/x`, {
      headers: { ...headers, connection: "close" },
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    return { status: response.status, isolate: response.headers.get("x-isolate") ?? "" };
  } catch {
    return null;
  }
}

/** Names of the isolates that answer, once there are two and `isWanted` of each. */
async function serving(url: string, isWanted: (isolate: string) => boolean): Promise<Set<string>> {
  let names = new Set<string>();
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => call(url)));
    names = new Set(answers.map((answer) => answer?.isolate ?? "none"));
    return names.size === 2 && [...names].every(isWanted);
  }, "two isolates to serve");
  return names;
}

/** Makes one of the two fail, and waits until another is in its place. */
async function failOne(url: string, how: Failing): Promise<void> {
  const before = await serving(url, (name) => name !== "none");
  const order = call(url, { "x-fail": how });
  let replaced = new Set<string>();
  await until(async () => {
    replaced = before.difference(await serving(url, (name) => name !== "none"));
    return replaced.size === 1;
  }, "one isolate to be replaced");
  await order;
}

for (const how of ["throw", "reject", "close"] as const) {
  Deno.test(`an isolate that fails (${how}) is replaced and told of; calls go on`, () =>
    withIsolates(async ({ url, lines }) => {
      await failOne(url, how);
      assert.equal(lines.filter((line) => line.includes("it is replaced")).length, 1);
      for (let i = 0; i < 20; i++) assert.equal((await call(url))?.status, 200);
    }));
}

Deno.test("an error nobody caught costs no call: what the isolate carries is finished first", () =>
  withIsolates(async ({ url, held }) => {
    // Enough that both isolates carry some.
    const calls = Array.from({ length: 16 }, () => call(url, { "x-hold": "1" }));
    await until(() => held.length === 16, "the calls to be under way");
    await failOne(url, "throw");
    for (const goOn of held) goOn();
    const answers = await Promise.all(calls);
    assert.deepEqual(answers.map((answer) => answer?.status), answers.map(() => 200));
  }));

Deno.test("the log shows the calls of all isolates at once, however they were spread", () =>
  withIsolates(async ({ portico, url }) => {
    await Promise.all(Array.from({ length: 100 }, () => call(url)));
    const { total } = await portico.callLog.query(new URLSearchParams());
    assert.equal(total, 100);
  }));

Deno.test("Portico's own pages come through any isolate, with the client's facts and the body", () =>
  withIsolates(async ({ url }) => {
    for (let i = 0; i < 10; i++) {
      const response = await fetch(`${url}admin/`, {
        method: "POST",
        body: "x".repeat(100_000),
        headers: { connection: "close" },
      });
      assert.equal(await response.text(), "page");
      assert.ok(response.headers.has("x-request-id"));
    }
  }));

Deno.test("a port that somebody else has is refused, though isolates share theirs", () =>
  withIsolates(async ({ portico, url }) => {
    const config = { ...portico.config, http_port: Number(new URL(url).port) };
    const second = new ServingIsolates({ ...portico, config }, () => new Response(), null);
    await assert.rejects(second.start(), ListenError);
  }));

Deno.test("more pages than can be made at one time are refused at once; calls and the health check are not", () => {
  const made = Promise.withResolvers<void>();
  return withIsolates(async ({ url }) => {
    let refused = 0;
    // More than both isolates ask for.
    const pages = Array.from({ length: 600 }, async () => {
      const response = await fetch(`${url}admin/`);
      if (response.status === 503) refused++;
      return await response.text();
    });
    await until(() => refused > 0, "a page to be refused");
    assert.equal((await call(url))?.status, 200);
    const health = await fetch(`${url}portico/health`);
    assert.deepEqual(await health.json(), { status: "ok" });
    made.resolve();
    const texts = await Promise.all(pages);
    assert.equal(texts.filter((text) => text !== "page").length, refused);
  }, async () => {
    await made.promise;
    return new Response("page");
  });
});
