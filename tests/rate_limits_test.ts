// deno-lint-ignore-file no-import-prefix -- only tests need it: locked in tests/deno.lock
/**
 * Rate limits over the wire, on a gateway that serves from two isolates. No test here
 * goes by how fast the machine is: limits that must hold last a year, those that must
 * pass are waited for.
 */
import assert from "node:assert/strict";
import { parseList } from "npm:structured-headers@2.1.0";
import { type AdminClient, setUp } from "./harness/admin.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

const YEAR = 366 * 86_400_000;

/** A configuration with a backend for each prefix, with its settings. */
function configuration(port: number, backends: Record<string, unknown>): string {
  const apis = Object.entries(backends).map(([prefix, settings]) => ({
    name: prefix,
    servers: [{ host: "127.0.0.1", port }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings,
  }));
  return JSON.stringify({ workers: 2, apis }); // which is YAML too
}

const yearly = (limit: number, response_headers = true) => ({
  rate_limits: [{ duration: YEAR, limit_by: "api_key", limit, response_headers }],
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function call(portico: RunningPortico, path: string, key: string): Promise<Answer> {
  const response = await fetch(portico.url() + path, { headers: { "x-api-key": key } });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** So many calls at once. */
function burst(calls: number, portico: RunningPortico, path: string, key: string) {
  return Promise.all(Array.from({ length: calls }, () => call(portico, path, key)));
}

async function keysOf(admin: AdminClient, count: number): Promise<string[]> {
  const users = await Promise.all(Array.from({ length: count }, () => admin.addUser()));
  return users.map(({ key }) => key);
}

Deno.test("60 keys × 52 calls at once with a limit of 50: 50 of each are let through", async () => {
  await using upstream = await startUpstream((_request, response) => response.end("ok"));
  await using portico = await startPortico({
    config: configuration(upstream.port, { "/api/": yearly(50) }),
  });
  const keys = await keysOf(await setUp(portico), 60);
  for (let first = 0; first < keys.length; first += 6) {
    const answers = await Promise.all(
      keys.slice(first, first + 6).map((key) => burst(52, portico, "/api/", key)),
    );
    for (const ofKey of answers) {
      const left = ofKey.filter(({ status }) => status === 200)
        .map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
      assert.deepEqual(left.sort((a, b) => b - a), Array.from({ length: 50 }, (_, at) => 49 - at));
      assert.equal(ofKey.filter(({ status }) => status === 429).length, 2);
    }
  }
  assert.equal(upstream.received.length, 60 * 50);
});

Deno.test("rate limits over the wire", async (t) => {
  await using upstream = await startUpstream((_request, response) => {
    response.setHeader("X-RateLimit-Limit", "theirs");
    response.setHeader("RateLimit", '"theirs";r=1');
    response.end("ok");
  });
  await using portico = await startPortico({
    config: configuration(upstream.port, {
      "/default/": {},
      "/five/": { ...yearly(5), rate_limit_bucket_name: "five" },
      "/quiet/": { ...yearly(1, false), rate_limit_bucket_name: "quiet" },
      "/second/": {
        rate_limits: [{ duration: 1000, limit_by: "api_key", limit: 1 }],
        rate_limit_bucket_name: "second",
      },
      "/free/": { rate_limit_mode: "unlimited" },
    }),
  });
  const admin = await setUp(portico);

  await t.step("a call that passes is told what is left, in both kinds of fields", async () => {
    const { key } = await admin.addUser();
    const { status, headers } = await call(portico, "/five/", key);
    assert.equal(status, 200);
    assert.equal(headers.get("x-ratelimit-limit"), "5");
    assert.equal(headers.get("x-ratelimit-remaining"), "4");
    assert.equal(headers.get("retry-after"), null);
    const [policy] = parseList(headers.get("ratelimit-policy") ?? "");
    assert.deepEqual(policy, ["366-days", new Map([["q", 5], ["w", YEAR / 1000]])]);
    const [[name, state] = []] = parseList(headers.get("ratelimit") ?? "");
    assert.equal(name, "366-days");
    assert.equal(state?.get("r"), 4);
  });

  await t.step(
    "a refused one gets 429, Retry-After, and a row in the log that says why",
    async () => {
      const { key } = await admin.addUser();
      const answers = await burst(7, portico, "/five/", key);
      const refused = answers.filter(({ status }) => status === 429);
      assert.equal(refused.length, 2);
      for (const { headers, body } of refused) {
        assert.equal(JSON.parse(body).error.code, "OVER_RATE_LIMIT");
        assert.equal(headers.get("x-ratelimit-remaining"), "0");
        const [[, state] = []] = parseList(headers.get("ratelimit") ?? "");
        assert.equal(String(state?.get("t")), headers.get("retry-after"));
        assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/);
      }
      await until(
        async () => (await admin.logs("gatekeeper_denied_code=over_rate_limit")).length === 2,
        "the rows of the refused calls",
      );
    },
  );

  await t.step("a backend's own fields pass where ours say nothing, and only there", async () => {
    const { key } = await admin.addUser();
    for (const path of ["/free/", "/quiet/"]) {
      const { headers } = await call(portico, path, key);
      assert.equal(headers.get("x-ratelimit-limit"), "theirs", path);
      assert.equal(headers.get("ratelimit"), '"theirs";r=1', path);
    }
    const { headers } = await call(portico, "/five/", key);
    assert.equal(headers.get("x-ratelimit-limit"), "5");
    assert.match(headers.get("ratelimit") ?? "", /^"366-days";r=4;t=\d+$/);
  });

  await t.step("without a setting the default limits hold, the hourly one is told", async () => {
    const { key } = await admin.addUser();
    const { headers } = await call(portico, "/default/", key);
    assert.equal(headers.get("x-ratelimit-limit"), "1000");
    assert.equal(headers.get("x-ratelimit-remaining"), "999");
    assert.equal(headers.get("ratelimit-policy"), '"hour";q=1000;w=3600');
    let refused: Answer | undefined;
    await until(async () => {
      const answers = await burst(60, portico, "/default/", key);
      refused = answers.find(({ status }) => status === 429);
      return refused !== undefined;
    }, "more than 20 calls in a second to be refused");
    assert.equal(refused?.headers.get("x-ratelimit-limit"), "1000", "though another one refused");
    assert.notEqual(refused?.headers.get("x-ratelimit-remaining"), "0");
  });

  await t.step("a limit of one a second lets the caller in again", async () => {
    const { key } = await admin.addUser();
    let refused: Answer | undefined;
    await until(async () => {
      refused = (await burst(10, portico, "/second/", key)).find(({ status }) => status === 429);
      return refused !== undefined;
    }, "a second call in a second to be refused");
    assert.match(refused?.headers.get("retry-after") ?? "", /^[12]$/);
    await until(async () => (await call(portico, "/second/", key)).status === 200, "the next one");
  });

  await t.step(
    "a user's own limits replace the backend's within a second, and can lift them",
    async () => {
      const user = await admin.addUser({ settings: yearly(2) });
      const statuses = async (calls: number) =>
        (await burst(calls, portico, "/five/", user.key)).map(({ status }) => status).sort();
      assert.deepEqual(await statuses(3), [200, 200, 429]);
      const settings = { rate_limit_mode: "unlimited" };
      await admin.expect(200, "PUT", `/users/${user.id}`, { settings });
      await until(
        async () => (await statuses(10)).every((status) => status === 200),
        "the user to be unlimited",
        1000,
      );
      await admin.expect(200, "PUT", `/users/${user.id}`, { settings: {} });
      await until(
        async () => (await statuses(10)).includes(429),
        "the backend's limit to hold again",
        1000,
      );
    },
  );

  await t.step(
    "users throttled by IP count together, since they call from one address",
    async () => {
      const [one, other] = await Promise.all(
        [1, 2].map(() => admin.addUser({ throttle_by_ip: true })),
      );
      assert.equal((await call(portico, "/quiet/", one?.key ?? "")).status, 200);
      assert.equal((await call(portico, "/quiet/", other?.key ?? "")).status, 429);
    },
  );
});
