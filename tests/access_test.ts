/** Who may call a backend, over the wire: keys, HTTPS, roles, addresses, referers, bans. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type AdminClient, setUp } from "./harness/admin.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

/** A proxy at this machine says by X-Forwarded-* who calls, and how. */
const behindProxy = { router: { trusted_proxies: ["127.0.0.0/8", "::1"] } };

/** A configuration with a backend for each prefix, with what else is said of it. */
function configuration(
  port: number,
  backends: Record<string, Record<string, unknown>>,
  more: Record<string, unknown> = {},
): string {
  const apis = Object.entries(backends).map(([prefix, { sub_settings, ...settings }]) => ({
    name: prefix,
    servers: [{ host: "127.0.0.1", port }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings,
    ...(sub_settings === undefined ? {} : { sub_settings }),
  }));
  const file = { default_api_backend_settings: { rate_limit_mode: "unlimited" }, apis, ...more };
  return JSON.stringify(file); // which is YAML too
}

interface Answer {
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | null;
  readonly headers: Headers;
  readonly text: string;
}

async function call(
  portico: RunningPortico,
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<Answer> {
  const response = await fetch(portico.url() + path, { headers, method, redirect: "manual" });
  const text = await response.text();
  const code = /"error":\{"code":"(\w+)"/.exec(text)?.[1] ?? null;
  return { status: response.status, code, headers: response.headers, text };
}

const HTTPS = { "x-forwarded-proto": "https" };
const from = (address: string) => ({ "x-forwarded-for": address });

Deno.test("who may call a backend", async (t) => {
  await using upstream = await startUpstream();
  await using portico = await startPortico({
    config: configuration(upstream.port, {
      "/open/": {},
      "/keyless/": { disable_api_key: true },
      "/keyless-roles/": { disable_api_key: true, required_roles: ["staff"] },
      "/verified/": { api_key_verification_level: "required_email" },
      "/roles/": {
        required_roles: ["read"],
        sub_settings: [
          { http_method: "any", regex: "^/more", settings: { required_roles: ["write"] } },
          {
            http_method: "any",
            regex: "^/other",
            settings: { required_roles: ["audit"], required_roles_override: true },
          },
          { http_method: "any", regex: "^/none", settings: { required_roles_override: true } },
          { http_method: "POST", regex: "^/", settings: { required_roles: ["post"] } },
        ],
      },
      "/addresses/": {
        allowed_ips: ["192.0.2.0/24", "2001:db8::/32"],
        sub_settings: [
          { http_method: "any", regex: "^/else", settings: { allowed_ips: ["198.51.100.1"] } },
        ],
      },
      "/referers/": { allowed_referers: ["https://*.example.org/*", "https://exact.example/"] },
      "/https/": { require_https: "required_return_error" },
      "/redirected/": { redirect_https: true, require_https: "required_return_error" },
      "/secure/": {},
      "/limited/": {
        allowed_ips: ["192.0.2.1"],
        rate_limits: [{ duration: 366 * 86_400_000, limit_by: "api_key", limit: 1 }],
        rate_limit_bucket_name: "limited",
      },
    }, {
      router: {
        ...behindProxy.router,
        api_backend_required_https_regex_default: "^/secure/",
      },
    }),
  });
  const admin = await setUp(portico);
  const key = async (more: Record<string, unknown> = {}) => ({
    "x-api-key": (await admin.addUser(more)).key,
  });
  const plain = await key();

  await t.step(
    "a key comes by header, query or Basic user name, the first non-empty one",
    async () => {
      const value = plain["x-api-key"];
      const basic = { authorization: `Basic ${btoa(`${value}:`)}` };
      assert.equal((await call(portico, "/open/", plain)).status, 200);
      assert.equal((await call(portico, `/open/?api_key=${value}`)).status, 200);
      assert.equal((await call(portico, "/open/", basic)).status, 200);
      const empty = await call(portico, `/open/?api_key=${value}`, { "x-api-key": "" });
      assert.equal(empty.status, 200);
      const wrongFirst = await call(portico, `/open/?api_key=${value}`, { "x-api-key": "wrong" });
      assert.equal(wrongFirst.code, "API_KEY_INVALID");
    },
  );

  await t.step("missing, invalid, disabled and expired keys are told apart", async () => {
    const code = async (headers: Record<string, string>) =>
      (await call(portico, "/open/", headers)).code;
    assert.equal(await code({}), "API_KEY_MISSING");
    assert.equal(await code({ "x-api-key": "nobody's" }), "API_KEY_INVALID");
    assert.equal(await code(await key({ enabled: false })), "API_KEY_DISABLED");
    assert.equal(await code(await key({ expires_at: "2001-01-01T00:00:00Z" })), "API_KEY_EXPIRED");
    const refused = await call(portico, "/open/", await key({ expires_at: "2001-01-01T00:00Z" }));
    assert.equal(refused.status, 403);
    assert.match(refused.text, /The api_key supplied has expired\. Contact us at http/);
  });

  await t.step("a key expires by the clock, and comes back with a later date", async () => {
    const soon = new Date(Date.now() + 1500).toISOString();
    const user = await admin.addUser({ expires_at: soon });
    const code = async () => (await call(portico, "/open/", { "x-api-key": user.key })).code;
    await until(async () => await code() === "API_KEY_EXPIRED", "the key to expire");
    assert.ok(Date.now() >= Date.parse(soon));
    await admin.expect(200, "PUT", `/users/${user.id}`, { expires_at: null });
    assert.equal(await code(), null);
  });

  await t.step(
    "where keys are optional none is needed, but one that comes must be good",
    async () => {
      assert.equal((await call(portico, "/keyless/")).status, 200);
      assert.equal(
        (await call(portico, "/keyless/", { "x-api-key": "x" })).code,
        "API_KEY_INVALID",
      );
      const refused = await call(portico, "/keyless-roles/");
      assert.equal(refused.code, "API_KEY_UNAUTHORIZED");
    },
  );

  await t.step("a verified address is asked for where the backend says so", async () => {
    const { id, key } = await admin.addUser();
    const code = async () => (await call(portico, "/verified/", { "x-api-key": key })).code;
    assert.equal(await code(), "API_KEY_UNVERIFIED");
    assert.equal((await call(portico, "/open/", { "x-api-key": key })).status, 200);
    await admin.expect(200, "PUT", `/users/${id}`, { email_verified: true });
    assert.equal(await code(), null);
  });

  await t.step("roles of a sub-URL add to the backend's, or stand in their place", async () => {
    const status = async (path: string, roles: string[], method = "GET") =>
      (await call(portico, `/roles/${path}`, await key({ roles }), method)).status;
    assert.equal(await status("x", []), 403);
    assert.equal(await status("x", ["read"]), 200);
    assert.equal(await status("more", ["read"]), 403);
    assert.equal(await status("more", ["read", "write"]), 200);
    assert.equal(await status("other", ["read"]), 403);
    assert.equal(await status("other", ["audit"]), 200);
    assert.equal(await status("none", []), 200);
    assert.equal(await status("x", ["read"], "POST"), 403);
    assert.equal(await status("x", ["read", "post"], "POST"), 200);
  });

  await t.step("the caller's address must be in the backend's list and in the key's", async () => {
    const status = async (path: string, address: string, headers = plain) =>
      (await call(portico, path, { ...headers, ...from(address) })).status;
    assert.equal(await status("/addresses/", "192.0.2.7"), 200);
    assert.equal(await status("/addresses/", "2001:db8::7"), 200);
    assert.equal(await status("/addresses/", "::ffff:192.0.2.7"), 200);
    assert.equal(await status("/addresses/", "198.51.100.1"), 403);
    assert.equal(await status("/addresses/else", "198.51.100.1"), 200);
    assert.equal(await status("/addresses/else", "192.0.2.7"), 403);
    const own = await key({ settings: { allowed_ips: ["192.0.2.8/31"] } });
    assert.equal(await status("/addresses/", "192.0.2.7", own), 403);
    assert.equal(await status("/addresses/", "192.0.2.9", own), 200);
    assert.equal(await status("/open/", "203.0.113.1", own), 403);
  });

  await t.step(
    "of the addresses that proxies pass on, the last one that is no proxy counts",
    async () => {
      const status = async (chain: string) =>
        (await call(portico, "/addresses/", { ...plain, ...from(chain) })).status;
      assert.equal(await status("198.51.100.1, 192.0.2.7"), 200);
      assert.equal(await status("192.0.2.7, 198.51.100.1"), 403);
      assert.equal(await status("192.0.2.7, 127.0.0.3"), 200);
    },
  );

  await t.step("the page must be in the backend's list and in the key's", async () => {
    const status = async (headers: Record<string, string>, holder = plain) =>
      (await call(portico, "/referers/", { ...holder, ...headers })).status;
    assert.equal(await status({}), 403);
    assert.equal(await status({ referer: "https://a.example.org/page" }), 200);
    assert.equal(await status({ referer: "https://example.org/page" }), 403);
    assert.equal(await status({ referer: "http://a.example.org/page" }), 403);
    assert.equal(await status({ origin: "https://a.example.org" }), 200);
    assert.equal(await status({ origin: "https://exact.example" }), 200);
    assert.equal(await status({ referer: "https://exact.example" }), 403);
    assert.equal(await status({ referer: "https://exact.example/x" }), 403);
    const own = await key({ settings: { allowed_referers: ["https://b.example.org/*"] } });
    assert.equal(await status({ referer: "https://a.example.org/" }, own), 403);
    assert.equal(await status({ referer: "https://B.example.org/" }, own), 200);
  });

  await t.step(
    "plain HTTP is refused before the key is looked at, and told where to go",
    async () => {
      const refused = await call(portico, "/https/x?y=1&api_key=nobody");
      assert.equal(refused.status, 400);
      assert.equal(refused.code, "HTTPS_REQUIRED");
      assert.match(refused.text, /https:\/\/localhost\/https\/x\?y=1"/);
      assert.equal((await call(portico, "/https/", { ...HTTPS, ...plain })).status, 200);
      assert.equal((await call(portico, "/https/", HTTPS)).code, "API_KEY_MISSING");
    },
  );

  await t.step(
    "plain HTTP is redirected before anything else, by backend and by path",
    async () => {
      for (const prefix of ["/redirected/", "/secure/"]) {
        const path = `${prefix}a%2Fb?x=%20&api_key=some-key`;
        const answer = await call(portico, path, {}, "POST");
        assert.equal(answer.status, 301);
        assert.equal(answer.headers.get("location"), `https://localhost${path}`);
        assert.equal(answer.text, "");
        assert.ok((answer.headers.get("x-request-id") ?? "") !== "");
        assert.equal((await call(portico, prefix, { ...HTTPS, ...plain })).status, 200);
      }
      assert.equal((await call(portico, "/open/secure/", plain)).status, 200);
    },
  );

  await t.step("the log has the redirects, and keys nowhere", async () => {
    await until(
      async () => (await admin.logs("response_status=301")).length === 2,
      "the redirects in the log",
    );
    const rows = await admin.logs("response_status=301");
    assert.ok(rows.every((row) => row.gatekeeper_denied_code === undefined));
    assert.ok(!JSON.stringify(rows).includes("some-key"));
  });

  await t.step("refused calls reach no upstream, and count against no limit", async () => {
    const before = upstream.received.length;
    const mine = await key();
    for (const headers of [{}, { ...mine }, { "x-api-key": "x" }]) {
      assert.equal((await call(portico, "/limited/", headers)).status, 403);
    }
    assert.equal(upstream.received.length, before);
    const allowed = { ...mine, ...from("192.0.2.1") };
    assert.equal((await call(portico, "/limited/", allowed)).status, 200);
    assert.equal((await call(portico, "/limited/", allowed)).code, "OVER_RATE_LIMIT");
  });

  await t.step(
    "in a transition, only callers from after it was published are held to it",
    async () => {
      const settings = {
        require_https: "transition_return_error",
        api_key_verification_level: "transition_email",
      };
      const early = await key();
      const sent = { ...settings, require_https_transition_start_at: "2001-01-01T00:00:00Z" };
      const id = await admin.addBackend(upstream.port, "/transition/", { settings: sent });
      await admin.publish("/transition/");
      await assertTransition(admin, portico, early);

      // Publishing something else about it leaves the transition as it began.
      assert.deepEqual((await admin.expect(200, "GET", "/publish")).changes, []);
      await admin.expect(200, "PUT", `/backends/${id}`, { name: "In transition" });
      await admin.publish("/transition/");
      await assertTransition(admin, portico, early);

      // Ended and begun anew, it holds for callers who came since it began anew.
      await admin.expect(200, "PUT", `/backends/${id}`, { settings: {} });
      await admin.publish("/transition/");
      const between = await key();
      await admin.expect(200, "PUT", `/backends/${id}`, { settings });
      await admin.publish("/transition/");
      await assertTransition(admin, portico, between);
    },
  );
});

async function assertTransition(
  admin: AdminClient,
  portico: RunningPortico,
  early: Record<string, string>,
): Promise<void> {
  const code = async (headers: Record<string, string>) =>
    (await call(portico, "/transition/", headers)).code;
  assert.equal(await code(early), null);
  assert.equal(await code({}), "API_KEY_MISSING");
  const { id, key } = await admin.addUser();
  const late = { "x-api-key": key };
  assert.equal(await code(late), "API_KEY_UNVERIFIED");
  await admin.expect(200, "PUT", `/users/${id}`, { email_verified: true });
  assert.equal(await code(late), "HTTPS_REQUIRED");
  assert.equal(await code({ ...late, ...HTTPS }), null);
}

Deno.test("nobody but a trusted proxy chooses its address or scheme", async () => {
  await using upstream = await startUpstream();
  await using portico = await startPortico({
    config: configuration(upstream.port, {
      "/addresses/": { disable_api_key: true, allowed_ips: ["192.0.2.1"] },
      "/https/": { disable_api_key: true, require_https: "required_return_error" },
      "/open/": { disable_api_key: true },
    }),
  });
  const forged = { ...from("192.0.2.1"), ...HTTPS, "x-real-ip": "192.0.2.1" };
  assert.equal((await call(portico, "/addresses/", forged)).status, 403);
  assert.equal((await call(portico, "/https/", forged)).code, "HTTPS_REQUIRED");
  const seen = JSON.parse((await call(portico, "/open/", forged)).text).headers;
  assert.match(seen["x-forwarded-for"], /^(127\.0\.0\.1|::1)$/);
  assert.equal(seen["x-forwarded-proto"], "http");
});

Deno.test("bans come before everything, hold for the whole site, and follow the file", async (t) => {
  await using upstream = await startUpstream();
  const banning = (ban: Record<string, unknown>) =>
    configuration(upstream.port, { "/open/": { disable_api_key: true } }, {
      ...behindProxy,
      workers: 1, // which takes in a reload at one moment
      ban,
    });
  await using portico = await startPortico({
    config: banning({ ips: ["192.0.2.0/24"], user_agents: ["~*badbot", "^evil/"] }),
  });
  const admin = await setUp(portico);
  const rewrite = async (ban: Record<string, unknown>) => {
    await Deno.writeTextFile(join(portico.folder, "portico.yml"), banning(ban));
    portico.signal("SIGHUP");
  };

  await t.step(
    "a banned address or user agent gets a plain text, and the upstream nothing",
    async () => {
      for (const headers of [from("192.0.2.1"), { "user-agent": "x BadBot/1" }]) {
        for (const path of ["/open/", "/nothing", "/", "/admin/", "/admin/api/v1/users"]) {
          const answer = await call(portico, path, headers);
          assert.equal(answer.status, 403, path);
          assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
          assert.equal(answer.text, "Please contact us for assistance.\n");
        }
        const health = await call(portico, "/portico/health", headers);
        assert.equal(health.status, 200);
      }
      assert.equal(upstream.received.length, 0);
      assert.equal((await call(portico, "/open/", from("198.51.100.1"))).status, 200);
      assert.equal((await call(portico, "/open/", { "user-agent": "not evil/1" })).status, 200);
    },
  );

  await t.step("the log says who was banned", async () => {
    const query = "gatekeeper_denied_code=banned&request_ip=192.0.2.1";
    await until(async () => (await admin.logs(query)).length === 5, "the banned calls in the log");
    const [row] = await admin.logs(query);
    assert.equal(row?.response_status, 403);
    assert.equal(row?.api_backend_id, undefined);
  });

  await t.step("a reload bans others, with another answer", async () => {
    const response = { status_code: 410, message: "Gone.", delay: 0.05 };
    await rewrite({ ips: ["198.51.100.1"], response });
    await until(
      async () => (await call(portico, "/open/", from("198.51.100.1"))).status === 410,
      "the new bans",
    );
    assert.equal((await call(portico, "/open/", from("198.51.100.1"))).text, "Gone.\n");
    assert.equal((await call(portico, "/open/", from("192.0.2.1"))).status, 200);
  });

  await t.step("an answer that is held back holds up neither others nor the end", async () => {
    await rewrite({ ips: ["192.0.2.0/24"], response: { delay: 60 } });
    await until(async () => (await call(portico, "/open/", from("198.51.100.1"))).status === 200);
    let answered = 0;
    const banned = Array.from({ length: 3 }, async () => {
      const { text } = await call(portico, "/open/", from("192.0.2.1"));
      answered++;
      return text;
    });
    assert.equal((await call(portico, "/open/", from("203.0.113.1"))).status, 200);
    assert.equal(answered, 0);
    assert.ok((await portico.end("SIGTERM")).success);
    for (const answer of await Promise.allSettled(banned)) {
      if (answer.status === "rejected") continue; // it came when the server had stopped listening
      assert.equal(answer.value, "Please contact us for assistance.\n");
    }
  });
});
