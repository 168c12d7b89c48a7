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

/** A backend's settings, and what else of it is not as usual. */
type BackendOptions = Record<string, unknown> & { readonly backend?: Record<string, unknown> };

/** A configuration with a backend for each prefix, with its settings. */
function configuration(
  port: number,
  backends: Record<string, BackendOptions>,
  more: Record<string, unknown> = {},
): string {
  const apis = Object.entries(backends).map(([prefix, { backend, ...settings }]) => ({
    name: prefix,
    servers: [{ host: "127.0.0.1", port }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings,
    ...backend,
  }));
  return JSON.stringify({ workers: 2, apis, ...more }); // which is YAML too
}

const yearly = (limit: number, response_headers = true, limit_by = "api_key") => ({
  rate_limits: [{ duration: YEAR, limit_by, limit, response_headers }],
});

/** Settings with a bucket of their own, so that tests in one gateway do not meet. */
const bucket = (rate_limit_bucket_name: string) => ({ rate_limit_bucket_name });

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A call with a key, or with none; `headers` say where it seems to come from. */
async function call(
  portico: RunningPortico,
  path: string,
  key: string | null,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(portico.url() + path, {
    headers: key === null ? headers : { "x-api-key": key, ...headers },
  });
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

const loopback = ["127.0.0.1", "::1"];
/** A caller's address, as a trusted proxy tells it. */
const from = (address: string) => ({ "x-forwarded-for": address });

Deno.test("whom a limit is for, over the wire", async (t) => {
  await using upstream = await startUpstream((_request, response) => response.end("ok"));
  const sub = (regex: string, settings: Record<string, unknown>) => ({
    http_method: "any",
    regex,
    settings,
  });
  await using portico = await startPortico({
    config: configuration(upstream.port, {
      "/by-ip/": { ...yearly(2, true, "ip"), ...bucket("by-ip") },
      "/two-limits/": {
        rate_limits: [...yearly(1, false, "ip").rate_limits, ...yearly(5).rate_limits],
        ...bucket("two-limits"),
      },
      "/host-a/": yearly(1),
      "/host-a-too/": yearly(1),
      "/shared-1/": { ...yearly(2), ...bucket("shared") },
      "/shared-2/": { ...yearly(2), ...bucket("shared") },
      "/optional/": { ...yearly(1), ...bucket("optional"), disable_api_key: true },
      "/optional-ip-only/": {
        rate_limits: [...yearly(1).rate_limits, ...yearly(2, false, "ip").rate_limits],
        ...bucket("optional-ip-only"),
        disable_api_key: true,
        anonymous_rate_limit_behavior: "ip_only",
      },
      "/key-only/": {
        rate_limits: [...yearly(1, false, "ip").rate_limits, ...yearly(3).rate_limits],
        ...bucket("key-only"),
        authenticated_rate_limit_behavior: "api_key_only",
      },
      "/parts/": {
        ...yearly(3),
        ...bucket("parts"),
        backend: {
          sub_settings: [
            sub("^/strict", yearly(1)),
            sub("^/inherits", { required_roles: [] }),
            sub("^/free", { rate_limit_mode: "unlimited" }),
            sub("^/hourly", {
              rate_limits: [{ duration: 3_600_000, limit_by: "api_key", limit: 1 }],
            }),
          ],
        },
      },
    }, { router: { trusted_proxies: loopback } }),
  });
  const admin = await setUp(portico);
  const statuses = async (
    calls: readonly (readonly [path: string, key: string | null, from?: string])[],
  ) => {
    const seen: number[] = [];
    for (const [path, key, address = "192.0.2.1"] of calls) {
      seen.push((await call(portico, path, key, from(address))).status);
    }
    return seen;
  };

  await t.step("a limit by IP counts an address's calls, whatever their keys", async () => {
    const [one = "", other = ""] = await keysOf(admin, 2);
    assert.deepEqual(
      await statuses([
        ["/by-ip/", one, "192.0.2.7"],
        ["/by-ip/", other, "192.0.2.7"],
        ["/by-ip/", one, "192.0.2.7"],
        ["/by-ip/", one, "192.0.2.8"],
      ]),
      [200, 200, 429, 200],
    );
  });

  await t.step(
    "a 429 names the limit that was exceeded, to the caller and in the log",
    async () => {
      const { key } = await admin.addUser();
      await call(portico, "/two-limits/", key, from("192.0.2.9"));
      const { status, headers } = await call(portico, "/two-limits/", key, from("192.0.2.9"));
      assert.equal(status, 429);
      assert.equal(headers.get("x-ratelimit-limit"), "5", "the marked one, as ever");
      assert.equal(headers.get("x-ratelimit-remaining"), "4");
      const exceeded = parseList(headers.get("ratelimit") ?? "").at(-1);
      assert.equal(exceeded?.[0], "366-days-by-ip");
      assert.equal(exceeded?.[1].get("r"), 0);
      const policy = parseList(headers.get("ratelimit-policy") ?? "").at(-1);
      assert.equal(policy?.[0], "366-days-by-ip");
      assert.equal(policy?.[1].get("q"), 1);
      const query = `request_id=${headers.get("x-request-id")}`;
      await until(
        async () => (await admin.logs(query)).length === 1,
        "the row of the refused call",
      );
      const [row] = await admin.logs(query);
      assert.equal(row?.api_backend_response_code_details, "over 1 call in 366 days by IP address");
    },
  );

  await t.step(
    "backends of one host share counters, and those with one bucket's name",
    async () => {
      const { key } = await admin.addUser();
      assert.deepEqual(await statuses([["/host-a/", key], ["/host-a-too/", key]]), [200, 429]);
      assert.deepEqual(
        await statuses([["/shared-1/", key], ["/shared-2/", key], ["/shared-1/", key]]),
        [200, 200, 429],
      );
    },
  );

  await t.step(
    "callers without a key are counted by address, apart from those with one",
    async () => {
      const { key } = await admin.addUser();
      assert.deepEqual(
        await statuses([
          ["/optional/", null, "192.0.2.20"],
          ["/optional/", null, "192.0.2.20"],
          ["/optional/", null, "192.0.2.21"],
          ["/optional/", key, "192.0.2.20"],
          ["/optional/", key, "192.0.2.20"],
        ]),
        [200, 429, 200, 200, 429],
      );
    },
  );

  await t.step(
    "ip_only spares callers without a key the limits by key; api_key_only those with one the limits by IP",
    async () => {
      assert.deepEqual(
        await statuses([
          ["/optional-ip-only/", null, "192.0.2.30"],
          ["/optional-ip-only/", null, "192.0.2.30"],
          ["/optional-ip-only/", null, "192.0.2.30"],
        ]),
        [200, 200, 429],
      );
      const { key } = await admin.addUser();
      const calls = Array.from({ length: 4 }, () => ["/key-only/", key, "192.0.2.31"] as const);
      assert.deepEqual(await statuses(calls), [200, 200, 200, 429]);
    },
  );

  await t.step(
    "a part of a backend has its own limits, which take the backend's place",
    async () => {
      const { key } = await admin.addUser();
      assert.deepEqual(
        await statuses([["/parts/hourly", key], ["/parts/hourly", key], ["/parts/x", key]]),
        [200, 429, 200],
        "limits over another time count apart",
      );
      assert.deepEqual(await statuses([["/parts/inherits", key], ["/parts/x", key]]), [200, 200]);
      assert.deepEqual(
        await statuses([["/parts/x", key], ["/parts/inherits", key], ["/parts/strict", key]]),
        [429, 429, 429],
        "limits over the same time share counters, as they share the bucket",
      );
      assert.deepEqual(await statuses([["/parts/free", key], ["/parts//free", key]]), [200, 200]);
    },
  );
});

Deno.test("removing a custom limit never means unlimited, and a user's limits for one backend", async (t) => {
  await using upstream = await startUpstream((_request, response) => response.end("ok"));
  await using portico = await startPortico({
    config: JSON.stringify({
      workers: 2,
      default_api_backend_settings: yearly(4),
    }),
  });
  const admin = await setUp(portico);
  const limited = await admin.addBackend(upstream.port, "/limited/", {
    settings: { ...yearly(1), ...bucket("limited") },
  });
  const other = await admin.addBackend(upstream.port, "/other/", {
    settings: bucket("other"),
  });
  await admin.publish("/limited/");
  const passed = async (calls: number, path: string, key: string) =>
    (await burst(calls, portico, path, key)).filter(({ status }) => status === 200).length;

  await t.step("a user's limits for one backend hold there alone, and count apart", async () => {
    const { key } = await admin.addUser({
      settings: {
        ...yearly(2),
        backend_limits: [
          { backend_id: other, ...yearly(3) },
          { backend_id: "there-is-no-such-backend", rate_limit_mode: "unlimited" },
        ],
      },
    });
    assert.equal(await passed(5, "/other/", key), 3);
    assert.equal(await passed(5, "/limited/", key), 2);
  });

  await t.step("they act within a second, and lifting them takes the word", async () => {
    const { id, key } = await admin.addUser();
    assert.equal(await passed(5, "/limited/", key), 1);
    const lifted = { backend_limits: [{ backend_id: limited, rate_limit_mode: "unlimited" }] };
    await admin.expect(200, "PUT", `/users/${id}`, { settings: lifted });
    await until(
      async () => await passed(5, "/limited/", key) === 5,
      "the limit to be lifted",
      1000,
    );
    const empty = { backend_limits: [{ backend_id: limited, rate_limit_mode: "custom" }] };
    const { errors } = await admin.expect(422, "PUT", `/users/${id}`, { settings: empty });
    assert.match(JSON.stringify(errors), /settings\.backend_limits\[0\]\.rate_limits/);
    await admin.expect(200, "PUT", `/users/${id}`, { settings: { backend_limits: [] } });
    await until(async () => await passed(5, "/limited/", key) === 0, "it to hold again", 1000);
  });

  await t.step("a backend without its custom limits falls back to the default ones", async () => {
    const { key } = await admin.addUser();
    const custom = { settings: { rate_limit_mode: "custom", rate_limits: [] } };
    await admin.expect(422, "PUT", `/backends/${limited}`, custom);
    const none = { settings: { ...bucket("limited"), rate_limits: [] } };
    await admin.expect(200, "PUT", `/backends/${limited}`, none);
    await admin.publish("/limited/");
    let left: string | null = null;
    await until(async () => {
      const { headers } = await call(portico, "/limited/", key);
      left = headers.get("x-ratelimit-limit");
      return left === "4";
    }, "the default limit to hold");
    assert.equal(await passed(9, "/limited/", (await admin.addUser()).key), 4);
  });
});

Deno.test("router.global_rate_limits refuses an address that calls too fast, before anything else", async () => {
  await using upstream = await startUpstream((_request, response) => response.end("ok"));
  await using portico = await startPortico({
    config: configuration(upstream.port, { "/api/": { rate_limit_mode: "unlimited" } }, {
      router: {
        trusted_proxies: loopback,
        global_rate_limits: { ip_rate: "1r/m", ip_burst: 4 },
      },
    }),
  });
  const admin = await setUp(portico);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => call(portico, "/nothing-here/", null, from("192.0.2.1"))),
  );
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 3);
  for (const { headers, body } of refused) {
    assert.equal(JSON.parse(body).error.code, "OVER_RATE_LIMIT");
    assert.match(headers.get("retry-after") ?? "", /^[1-6]\d$/);
  }
  assert.equal((await call(portico, "/nothing-here/", null, from("192.0.2.2"))).status, 404);
  await until(
    async () => (await admin.logs("gatekeeper_denied_code=over_rate_limit")).length === 3,
    "the rows of the refused calls",
  );
  const [row] = await admin.logs("gatekeeper_denied_code=over_rate_limit");
  assert.match(String(row?.api_backend_response_code_details), /router\.global_rate_limits/);
  assert.equal((await fetch(`${portico.url()}/portico/health`)).status, 200, "own pages go on");
});
