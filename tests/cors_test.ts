/** Pages of other sites that call from a browser: CORS as its rules go, and as a real browser takes it. */
import assert from "node:assert/strict";
import { type AdminClient, setUp } from "./harness/admin.ts";
import { launchBrowser } from "./harness/browser.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

const PAGE = "https://app.example.org";

function configuration(
  port: number,
  backends: Record<string, Record<string, unknown>>,
): string {
  const apis = Object.entries(backends).map(([prefix, { sub_settings = [], ...settings }]) => ({
    name: prefix,
    servers: [{ host: "127.0.0.1", port }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings,
    sub_settings,
  }));
  return JSON.stringify({ apis }); // which is YAML too
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function call(
  portico: RunningPortico,
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<Answer> {
  const response = await fetch(portico.url() + path, { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function preflight(portico: RunningPortico, path: string, headers: Record<string, string> = {}) {
  const asked = { origin: PAGE, "access-control-request-method": "PUT", ...headers };
  return call(portico, path, asked, "OPTIONS");
}

/** The fields of an answer that are about CORS. */
function corsFields({ headers }: Answer): Record<string, string> {
  return Object.fromEntries(
    [...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"),
  );
}

const EXPOSED =
  "X-RateLimit-Limit, X-RateLimit-Remaining, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";

Deno.test("calls of other sites' pages", async (t) => {
  await using upstream = await startUpstream((request, response) => {
    response.setHeader("access-control-allow-origin", "https://theirs.example");
    response.setHeader("access-control-allow-credentials", "true");
    response.setHeader("vary", "Accept");
    if (request.url === "/cached") response.setHeader("cache-control", "max-age=3600");
    response.end("ok");
  });
  const listed = { cors: true, cors_allowed_origins: [PAGE, "https://*.example.net"] };
  await using portico = await startPortico({
    config: configuration(upstream.port, {
      "/off/": {},
      "/any/": { cors: true },
      "/listed/": {
        ...listed,
        cors_allowed_methods: ["GET", "PUT"],
        cors_allowed_headers: ["Content-Type"],
        cors_exposed_headers: ["X-Total"],
        cors_allow_credentials: true,
        cors_max_age_seconds: 5,
      },
      "/partly/": {
        sub_settings: [
          { http_method: "PUT", regex: "^/open", settings: { cors: true } },
          { http_method: "any", regex: "^/closed", settings: { cors: false } },
        ],
      },
      "/https/": { cors: true, require_https: "required_return_error" },
      "/limited/": {
        cors: true,
        rate_limits: [{ duration: 366 * 86_400_000, limit_by: "api_key", limit: 1 }],
        rate_limit_bucket_name: "limited",
      },
    }),
  });
  const admin = await setUp(portico);
  const key = { "x-api-key": (await admin.addUser()).key };

  await t.step("a preflight is answered without a key, and reaches no upstream", async () => {
    const asked = { "access-control-request-headers": "x-api-key,content-type" };
    const answer = await preflight(portico, "/any/x", asked);
    assert.equal(answer.status, 204);
    assert.deepEqual(corsFields(answer), {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "PUT",
      "access-control-allow-headers": "x-api-key,content-type",
      "access-control-max-age": "600",
      "vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    });
    assert.notEqual(answer.headers.get("x-request-id"), null);
    assert.equal(upstream.received.length, 0);
  });

  await t.step("a preflight is answered with what the settings list", async () => {
    const answer = await preflight(portico, "/listed/x");
    assert.deepEqual(corsFields(answer), {
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "GET, PUT",
      "access-control-allow-headers": "Content-Type, X-Api-Key",
      "access-control-allow-credentials": "true",
      "access-control-max-age": "5",
      "vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
    });
    const subdomain = await preflight(portico, "/listed/x", { origin: "https://a.example.net" });
    assert.equal(subdomain.status, 204);
  });

  await t.step("a preflight of another origin is refused, and the log says so", async () => {
    const answer = await preflight(portico, "/listed/x", { origin: "https://evil.example" });
    assert.equal(answer.status, 403);
    assert.deepEqual(corsFields(answer), { vary: "Origin" });
    const { error } = JSON.parse(answer.text);
    assert.equal(error.code, "ORIGIN_NOT_ALLOWED");
    assert.match(error.message, /https:\/\/evil\.example/);
    await untilLogged(admin, "gatekeeper_denied_code=origin_not_allowed");
  });

  await t.step("an actual call needs its key, and its answer names the origin", async () => {
    const answer = await call(portico, "/any/", { origin: PAGE, ...key });
    assert.equal(answer.status, 200);
    assert.deepEqual(corsFields(answer), {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": EXPOSED,
      "vary": "Accept",
    });
    const named = await call(portico, "/listed/", { origin: PAGE, ...key });
    assert.deepEqual(corsFields(named), {
      "access-control-allow-origin": PAGE,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": `${EXPOSED}, X-Total`,
      "vary": "Accept, Origin",
    });
  });

  await t.step("for another origin, or none, there is nothing to read it by", async () => {
    for (const headers of [{ ...key }, { origin: "https://evil.example", ...key }]) {
      const answer = await call(portico, "/listed/", headers);
      assert.equal(answer.status, 200);
      assert.deepEqual(corsFields(answer), { vary: "Accept, Origin" });
    }
  });

  await t.step("an answer out of the cache names the origin of who asks now", async () => {
    const origins = [PAGE, "https://a.example.net", "https://evil.example"];
    for (const origin of origins) {
      const answer = await call(portico, "/listed/cached", { origin, ...key });
      const allowed = answer.headers.get("access-control-allow-origin");
      assert.equal(allowed, origin === "https://evil.example" ? null : origin);
    }
  });

  await t.step(
    "refusals can be read as well, those by limits and over plain HTTP too",
    async () => {
      const missing = await call(portico, "/listed/", { origin: PAGE });
      assert.equal(missing.status, 403);
      assert.equal(missing.headers.get("access-control-allow-origin"), PAGE);
      assert.equal(missing.headers.get("vary")?.includes("Origin"), true);
      const foreign = await call(portico, "/listed/", { origin: "https://evil.example" });
      assert.equal(foreign.headers.get("access-control-allow-origin"), null);
      assert.equal((await preflight(portico, "/https/")).status, 204);
      const plain = await call(portico, "/https/", { origin: PAGE, ...key });
      assert.equal(plain.status, 400);
      assert.equal(plain.headers.get("access-control-allow-origin"), "*");
    },
  );

  await t.step("preflights count against no limit", async () => {
    for (let i = 0; i < 3; i++) {
      assert.equal((await preflight(portico, "/limited/", key)).status, 204);
    }
    assert.equal((await call(portico, "/limited/", { origin: PAGE, ...key })).status, 200);
    const refused = await call(portico, "/limited/", { origin: PAGE, ...key });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get("access-control-allow-origin"), "*");
  });

  await t.step("a preflight goes by the settings of the call it asks about", async () => {
    assert.equal((await preflight(portico, "/partly/open")).status, 204);
    const get = { "access-control-request-method": "GET" };
    assert.equal((await preflight(portico, "/partly/open", get)).status, 403);
    assert.equal((await preflight(portico, "/partly/closed")).status, 403);
  });

  await t.step("where CORS is off, OPTIONS needs a key and the upstream decides", async () => {
    const before = upstream.received.length;
    assert.match((await preflight(portico, "/off/")).text, /API_KEY_MISSING/);
    const passed = await preflight(portico, "/off/", key);
    assert.equal(passed.status, 200);
    assert.deepEqual(corsFields(passed), {
      "access-control-allow-origin": "https://theirs.example",
      "access-control-allow-credentials": "true",
      "vary": "Accept",
    });
    assert.equal(upstream.received.length, before + 1);
    assert.equal(upstream.last.method, "OPTIONS");
  });

  await t.step("OPTIONS that is no preflight is a call like any other", async () => {
    const asked = await call(portico, "/any/", { origin: PAGE }, "OPTIONS");
    assert.match(asked.text, /API_KEY_MISSING/);
    assert.equal((await call(portico, "/any/", key, "OPTIONS")).status, 200);
  });

  await t.step("credentials with any origin are refused when they are saved", async () => {
    const backend = (settings: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
      name: "Any",
      servers: [{ host: "127.0.0.1", port: upstream.port }],
      url_matches: [{ frontend_prefix: "/saved/", backend_prefix: "/" }],
      settings,
      ...more,
    });
    const fields = async (body: Record<string, unknown>) => {
      const { errors } = await admin.expect(422, "POST", "/backends", body);
      return (errors as { field: string }[]).map(({ field }) => field);
    };
    const any = { cors: true, cors_allow_credentials: true };
    assert.deepEqual(await fields(backend(any)), ["settings.cors_allowed_origins"]);
    const star = { ...any, cors_allowed_origins: ["*", PAGE] };
    assert.deepEqual(await fields(backend(star)), ["settings.cors_allowed_origins"]);
    const sub_settings = [{ http_method: "any", regex: "^/", settings: any }];
    assert.deepEqual(await fields(backend({}, { sub_settings })), [
      "sub_settings[0].settings.cors_allowed_origins",
    ]);
    const named = { ...any, cors_allowed_origins: ["HTTPS://App.example.org:443"] };
    const { settings } = await admin.expect(201, "POST", "/backends", backend(named));
    assert.deepEqual((settings as Record<string, unknown>).cors_allowed_origins, [PAGE]);
  });
});

async function untilLogged(admin: AdminClient, query: string): Promise<void> {
  await until(async () => (await admin.logs(query)).length > 0, `a row in the log with ${query}`);
}

Deno.test("a page in a real browser calls where it is allowed, and nowhere else", async () => {
  await using upstream = await startUpstream((_request, response) => response.end("from the API"));
  await using site = await startUpstream((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<title>A page of another site</title>");
  });
  const page = `http://127.0.0.1:${site.port}`;
  await using portico = await startPortico({
    config: configuration(upstream.port, {
      "/off/": {},
      "/any/": { cors: true },
      "/listed/": { cors: true, cors_allowed_origins: [page], cors_allow_credentials: true },
      "/other/": { cors: true, cors_allowed_origins: ["https://other.example"] },
    }),
  });
  const admin = await setUp(portico);
  const { key } = await admin.addUser();
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(page);
    const called = (path: string, headers: Record<string, string>, credentials = "omit") =>
      tab.evaluate(async ({ url, headers, credentials }) => {
        try {
          const response = await fetch(url, {
            method: "PUT",
            headers,
            credentials: credentials as RequestCredentials,
          });
          const limit = response.headers.get("x-ratelimit-limit");
          return `${response.status} ${limit} ${(await response.text()).slice(0, 40)}`;
        } catch {
          return "not let through by the browser";
        }
      }, { url: portico.url() + path, headers, credentials });
    const withKey = { "x-api-key": key, "content-type": "application/json" };
    assert.equal(await called("/any/", withKey), "200 1000 from the API");
    assert.equal(await called("/listed/", withKey, "include"), "200 1000 from the API");
    assert.match(await called("/any/", {}), /^403 null \{"error":\{"code":"API_KEY_MISSING"/);
    for (const path of ["/off/", "/other/"]) {
      assert.equal(await called(path, withKey), "not let through by the browser");
    }
    assert.equal(await called("/any/", withKey, "include"), "not let through by the browser");
  } finally {
    await browser.close();
  }
});
