/**
 * Explanations of calls, at a whole server: what is said of a call is what comes of it
 * when it is made. Each call is explained first and then made, byte for byte.
 */
import assert from "node:assert/strict";
import { type AdminClient, type Answer, setUp } from "./harness/admin.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { exchangeBytes, headerValues } from "./harness/raw.ts";
import { startUpstream, type Upstream } from "./harness/upstream.ts";

const config = `
router: { trusted_proxies: [127.0.0.1] }
ban: { user_agents: ["badbot"] }
default_api_backend_settings: { rate_limit_mode: unlimited }
`;

const everything = {
  settings: {
    allowed_ips: ["127.0.0.0/8", "192.0.2.0/24"],
    append_query_string: "added=1",
    headers: [{ key: "X-Set", value: "from {{headers.x-mine}}" }, { key: "X-Drop", value: "" }],
    http_basic_auth: "gateway:secret-of-the-backend",
    override_response_headers: [{ key: "X-Served-By", value: "portico" }],
    cors: true,
    cors_allowed_origins: ["https://app.example.org"],
  },
  rewrites: [{
    matcher_type: "regex",
    http_method: "any",
    frontend_matcher: "^/old/",
    backend_replacement: "/new/",
  }],
  sub_settings: [
    { http_method: "any", regex: "^/staff/", settings: { required_roles: ["staff", "senior"] } },
    {
      http_method: "any",
      regex: "^/secure/",
      settings: { require_https: "required_return_error" },
    },
    { http_method: "any", regex: "^/moved/", settings: { redirect_https: true } },
    { http_method: "any", regex: "^/open/", settings: { disable_api_key: true } },
    {
      http_method: "any",
      regex: "^/pages/",
      settings: { allowed_referers: ["https://app.example.org/*"] },
    },
    {
      http_method: "any",
      regex: "^/verified/",
      settings: { api_key_verification_level: "required_email" },
    },
    { http_method: "any", regex: "^/small/", settings: { body_max_bytes: 10 } },
    {
      http_method: "any",
      regex: "^/few/",
      settings: {
        rate_limit_mode: "custom",
        rate_limits: [{
          duration: 3_600_000,
          limit_by: "api_key",
          limit: 1,
          response_headers: true,
        }],
        rate_limit_bucket_name: "few",
      },
    },
    {
      http_method: "any",
      regex: "^/worded/",
      settings: {
        required_roles: ["none-has-this"],
        error_data: { api_key_unauthorized: { status_code: 451, code: "NO_ENTRY" } },
      },
    },
    { http_method: "any", regex: "^/kept/", settings: { cache_max_age_seconds: 60 } },
  ],
};

interface Site {
  readonly portico: RunningPortico;
  readonly admin: AdminClient;
  readonly upstream: Upstream;
  readonly keys: Record<"plain" | "staff" | "disabled" | "expired" | "elsewhere", Key>;
  readonly backend: string;
}

interface Key {
  readonly id: string;
  readonly key: string;
}

async function withSite(test: (site: Site) => Promise<void>): Promise<void> {
  await using upstream = await startUpstream();
  await using portico = await startPortico({ config });
  const admin = await setUp(portico);
  const backend = await admin.addBackend(upstream.port, "/shop/", { name: "Shop", ...everything });
  await admin.publish("/shop/x");
  const user = (email: string, more = {}) =>
    admin.addUser({ email: `${email}@example.org`, ...more });
  const keys = {
    plain: await user("plain"),
    staff: await user("staff", { roles: ["staff", "senior"] }),
    disabled: await user("disabled", { enabled: false }),
    expired: await user("expired", { expires_at: "2020-01-01T00:00:00Z" }),
    elsewhere: await user("elsewhere", { settings: { allowed_ips: ["198.51.100.0/24"] } }),
  };
  await test({ portico, admin, upstream, keys, backend });
}

interface Asked {
  readonly name: string;
  readonly target: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

function explained(site: Site, { target, method = "GET", headers = {} }: Asked): Promise<Answer> {
  const url = `http://a.example${target}`;
  return site.admin.expect(200, "POST", "/explain", { method, url, headers });
}

async function made(
  { portico }: Site,
  { target, method = "GET", headers = {} }: Asked,
) {
  const fields = Object.entries({ host: "a.example", connection: "close", ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const answer = await exchangeBytes(portico.port, `${method} ${target} HTTP/1.1\r\n${fields}\r\n`);
  const code = /"code":"(\w+)"/.exec(answer.body)?.[1] ?? null;
  return { answer, code };
}

function calls({ keys }: Site): Asked[] {
  const as = ({ key }: Key, more: Record<string, string> = {}) => ({ "x-api-key": key, ...more });
  const preflight = {
    "access-control-request-method": "GET",
    "access-control-request-headers": "x-api-key",
  };
  return [
    { name: "no backend", target: "/nowhere" },
    { name: "a dot segment", target: "/shop/../x", headers: as(keys.plain) },
    { name: "too long", target: `/shop/${"x".repeat(9000)}`, headers: as(keys.plain) },
    { name: "no key", target: "/shop/x" },
    { name: "nobody's key", target: "/shop/x", headers: { "x-api-key": "not-a-key-of-anybody" } },
    { name: "a disabled key", target: "/shop/x", headers: as(keys.disabled) },
    { name: "an expired key", target: "/shop/x", headers: as(keys.expired) },
    { name: "an unverified address", target: "/shop/verified/x", headers: as(keys.plain) },
    { name: "roles missing", target: "/shop/staff/x", headers: as(keys.plain) },
    { name: "roles there", target: "/shop/staff/x", headers: as(keys.staff) },
    { name: "plain HTTP", target: "/shop/secure/x" },
    {
      name: "HTTPS by a proxy",
      target: "/shop/secure/x",
      headers: as(keys.plain, {
        "x-forwarded-proto": "https",
      }),
    },
    { name: "redirected", target: "/shop/moved/x?a=1", headers: as(keys.plain) },
    {
      name: "a foreign address",
      target: "/shop/x",
      headers: as(keys.plain, {
        "x-forwarded-for": "203.0.113.9",
      }),
    },
    { name: "an address the user may not have", target: "/shop/x", headers: as(keys.elsewhere) },
    { name: "no referer", target: "/shop/pages/x", headers: as(keys.plain) },
    {
      name: "a good referer",
      target: "/shop/pages/x",
      headers: as(keys.plain, {
        referer: "https://app.example.org/page",
      }),
    },
    {
      name: "a preflight",
      target: "/shop/x",
      method: "OPTIONS",
      headers: {
        ...preflight,
        origin: "https://app.example.org",
      },
    },
    {
      name: "a preflight from elsewhere",
      target: "/shop/x",
      method: "OPTIONS",
      headers: {
        ...preflight,
        origin: "https://evil.example",
      },
    },
    { name: "banned", target: "/shop/x", headers: as(keys.plain, { "user-agent": "BadBot/1" }) },
    { name: "no key needed", target: "/shop/open/x" },
    { name: "other words", target: "/shop/worded/x", headers: as(keys.plain) },
    { name: "key in the query", target: `/shop/x?a=1&api_key=${keys.plain.key}&b=2` },
    {
      name: "everything rewritten",
      target: "/shop/old/%41?q=%20&added=0",
      headers: as(keys.staff, {
        "x-mine": "me",
        "x-drop": "gone",
        "x-api-roles": "forged",
        cookie: "_ga=1; kept=1",
        "accept-encoding": "gzip, br",
        origin: "https://app.example.org",
      }),
    },
    { name: "the first of few", target: "/shop/few/x", headers: as(keys.staff) },
    { name: "one too many", target: "/shop/few/x", headers: as(keys.staff) },
  ];
}

Deno.test("what is explained is what happens, for every kind of decision", async () => {
  await withSite(async (site) => {
    for (const asked of calls(site)) {
      const before = site.upstream.received.length;
      const said = await explained(site, asked);
      assert.equal(site.upstream.received.length, before, `${asked.name}: nothing is sent`);
      const { answer, code } = await made(site, asked);
      const isForwarded = site.upstream.received.length > before;
      assert.equal(said.decision === "forwarded", isForwarded, `${asked.name}: ${said.summary}`);
      assertStages(said, asked.name);
      if (isForwarded) {
        assertUpstream(said, site.upstream, asked.name);
        assert.equal(headerValues(answer, "x-served-by")[0], "portico");
      } else {
        assert.equal(said.status, answer.status, `${asked.name}: ${said.summary}`);
        if (code !== null) assert.equal(said.code, code, asked.name);
      }
      for (const [name, value] of Object.entries(said.answer_headers as Record<string, string>)) {
        if (/ratelimit|retry-after/.test(name)) continue; // looking counts nothing
        assert.deepEqual(headerValues(answer, name), [value], `${asked.name}: ${name}`);
      }
      const told = JSON.stringify(said);
      for (const { key } of Object.values(site.keys)) {
        assert.ok(!told.includes(key), `${asked.name}: the key comes back`);
      }
      assert.ok(!told.includes("secret-of-the-backend"));
      assert.ok(!told.includes(btoa("gateway:secret-of-the-backend")));
    }
  });
});

interface Stage {
  readonly name: string;
  readonly decision: string;
  readonly why: string;
}

/** The stages before the deciding one pass, those behind it are not reached; all have words. */
function assertStages({ stages, stage }: Answer, name: string): void {
  const all = stages as readonly Stage[];
  const end = all.findIndex((one) => one.name === stage);
  for (const [index, { decision, why }] of all.entries()) {
    assert.notEqual(why, "", name);
    if (end === -1 || index < end) assert.equal(decision, "pass", `${name}: ${why}`);
    else if (index > end) assert.equal(decision, "skip", `${name}: ${why}`);
    else assert.ok(decision === "refuse" || decision === "answer", name);
  }
}

/** Besides what frames the message and what is new in each call. */
function assertUpstream({ upstream }: Answer, { last, port }: Upstream, name: string): void {
  const said = upstream as {
    readonly method: string;
    readonly target: string;
    readonly servers: string[];
    readonly headers: Record<string, string>;
  };
  assert.deepEqual(said.servers, [`127.0.0.1:${port}`]);
  assert.equal(said.method, last.method, name);
  assert.equal(said.target, last.target, name);
  const own = new Set(["x-request-id", "authorization", "connection"]);
  const without = (headers: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(headers).filter(([field]) => !own.has(field))
        .map(([field, value]) => [field, String(value).trim()]),
    );
  assert.deepEqual(without(said.headers), without(last.headers), name);
  assert.equal(said.headers.authorization, "Basic [removed]");
}

Deno.test("a refusal is put down to the setting that made it, and whose it is", async () => {
  await withSite(async (site) => {
    const { keys } = site;
    const staff = await explained(site, {
      name: "staff",
      target: "/shop/staff/x",
      headers: { "x-api-key": keys.plain.key },
    });
    assert.equal(
      staff.summary,
      "Refused with 403 API_KEY_UNAUTHORIZED: the key lacks the roles “staff” and “senior”, " +
        "which are required.",
    );
    assert.deepEqual(ruleOf(staff, "authorize"), {
      setting: "required_roles",
      value: ["staff", "senior"],
      source: "sub_url",
      path: "sub_settings[0].settings.required_roles",
    });
    assert.deepEqual(staff.sub_url, { index: 0, http_method: "any", regex: "^/staff/" });
    assert.equal((staff.user as Answer).id, keys.plain.id);
    const elsewhere = await explained(site, {
      name: "elsewhere",
      target: "/shop/x",
      headers: { "x-api-key": keys.elsewhere.key },
    });
    assert.deepEqual(ruleOf(elsewhere, "address"), {
      setting: "allowed_ips",
      value: ["198.51.100.0/24"],
      source: "user",
      path: "settings.allowed_ips",
    });
  });
});

function ruleOf({ stages }: Answer, name: string): unknown {
  return (stages as { name: string; rule: unknown }[]).find((stage) => stage.name === name)?.rule;
}

Deno.test("a user stands in for its key, and an address for where it calls from", async () => {
  await withSite(async ({ admin, keys, portico }) => {
    const ask = (more: Record<string, unknown>) =>
      admin.expect(200, "POST", "/explain", { url: "/shop/x", ...more });
    assert.equal((await ask({ user_id: keys.disabled.id })).code, "API_KEY_DISABLED");
    const good = await ask({ user_id: keys.staff.id, address: "192.0.2.7" });
    assert.equal(good.decision, "forwarded");
    const { headers, url } = good.upstream as { headers: Record<string, string>; url: string };
    assert.equal(headers["x-api-user-id"], keys.staff.id);
    assert.equal(headers["x-forwarded-for"], "192.0.2.7");
    assert.equal(
      url,
      `${portico.url().replace("localhost", new URL(admin.base).hostname)}/x?added=1`,
    );
    assert.equal(
      (await ask({ user_id: keys.staff.id, address: "203.0.113.1" })).code,
      "API_KEY_UNAUTHORIZED",
    );
    for (
      const [field, bad] of Object.entries({
        url: "ftp://a.example/",
        user_id: "nobody",
        address: "here",
        method: "G T",
        headers: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`x-${n}`, ""])),
      })
    ) {
      const { errors } = await admin.expect(422, "POST", "/explain", {
        url: "/shop/x",
        [field]: bad,
      });
      assert.equal((errors as { field: string }[])[0]?.field, field);
    }
  });
});

Deno.test("whether the cache takes part is told, with the setting that says so", async () => {
  await withSite(async ({ admin, keys }) => {
    const cache = async (url: string, headers: Record<string, string> = {}) => {
      const said = await admin.expect(200, "POST", "/explain", {
        url,
        headers,
        user_id: keys.staff.id,
      });
      return (said.stages as { name: string; why: string; rule: unknown }[]).at(-1);
    };
    const kept = await cache("/shop/kept/x");
    assert.match(kept?.why ?? "", /or 60 seconds where it says nothing/);
    assert.deepEqual(kept?.rule, {
      setting: "cache_max_age_seconds",
      value: 60,
      source: "sub_url",
      path: "sub_settings[9].settings.cache_max_age_seconds",
    });
    assert.match((await cache("/shop/kept/x", { cookie: "mine=1" }))?.why ?? "", /caller's own/);
    assert.match((await cache("/shop/x"))?.why ?? "", /as long as the backend says/);
  });
});

Deno.test("drafts can be asked before they are published", async () => {
  await withSite(async ({ admin, backend }) => {
    await admin.expect(200, "PUT", `/backends/${backend}`, { settings: { disable_api_key: true } });
    const ask = (draft: boolean) =>
      admin.expect(200, "POST", "/explain", { url: "/shop/x", draft });
    const [live, draft] = [await ask(false), await ask(true)];
    assert.deepEqual([live.code, live.version], ["API_KEY_MISSING", 1]);
    assert.deepEqual([draft.decision, draft.version], ["forwarded", null]);
  });
});

Deno.test("explaining counts nothing and records nothing", async () => {
  await withSite(async (site) => {
    const asked = {
      name: "few",
      target: "/shop/few/x",
      headers: { "x-api-key": site.keys.staff.key },
    };
    for (let time = 0; time < 5; time++) {
      const said = await explained(site, asked);
      assert.equal(said.decision, "forwarded");
      const [limit] = said.limits as { remaining: number; words: string }[];
      assert.deepEqual([limit?.remaining, limit?.words], [1, "1 call an hour by API key"]);
    }
    assert.equal((await made(site, asked)).answer.status, 200);
    const over = await explained(site, asked);
    assert.deepEqual([over.code, over.stage], ["OVER_RATE_LIMIT", "limits"]);
    const rows = await site.admin.logs("user_id=" + site.keys.staff.id);
    assert.equal(rows.length, 1);
    assert.ok(!site.portico.output.includes(site.keys.staff.key));
  });
});
