/** The cache over the wire, on a gateway that serves from two isolates. */
import assert from "node:assert/strict";
import { request as nodeRequest } from "node:http";
import { type AdminClient, password, setUp } from "./harness/admin.ts";
import { closingGet, exchangeBytes, headerValues } from "./harness/raw.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream, type Upstream } from "./harness/upstream.ts";

/** A backend that answers each path as its query says; bodies tell how often it was asked. */
function startOrigin(gate: { open: Promise<void> }): Promise<Upstream> {
  let answers = 0;
  return startUpstream(async (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://upstream");
    if (searchParams.has("wait")) await gate.open;
    for (const [name, value] of searchParams) {
      if (name.startsWith("h-")) response.setHeader(name.slice(2), value);
    }
    const etag = searchParams.get("h-etag");
    if (etag !== null && request.headers["if-none-match"] === etag) response.statusCode = 304;
    else response.statusCode = Number(searchParams.get("status") ?? 200);
    response.end(request.method === "HEAD" ? "" : `answer ${++answers} to ${request.method}`);
  });
}

const FRESH = "h-cache-control=max-age%3D60";

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

class Site implements AsyncDisposable {
  private constructor(
    readonly upstream: Upstream,
    readonly portico: RunningPortico,
    readonly admin: AdminClient,
    readonly key: string,
    readonly gate: PromiseWithResolvers<void>,
  ) {}

  static async start(): Promise<Site> {
    const gate = Promise.withResolvers<void>();
    const upstream = await startOrigin({ open: gate.promise });
    const backend = (prefix: string, settings: Record<string, unknown>) => ({
      name: prefix,
      servers: [{ host: "127.0.0.1", port: upstream.port }],
      url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
      settings: { rate_limit_mode: "unlimited", ...settings },
    });
    const portico = await startPortico({
      config: JSON.stringify({
        workers: 2,
        strip_response_cookies: ["^lb_"],
        apis: [
          backend("/api/", {}),
          backend("/other/", { http_basic_auth: "portico:secret" }),
          backend("/off/", { cache_mode: "off" }),
          backend("/kept/", { cache_max_age_seconds: 60 }),
          backend("/keyed/", { pass_api_key_header: true, cache_max_age_seconds: 60 }),
        ],
      }),
    });
    const admin = await setUp(portico);
    const { key } = await admin.addUser();
    return new Site(upstream, portico, admin, key, gate);
  }

  /** A call on a connection of its own, so that either isolate may get it. */
  call(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const request = nodeRequest(this.portico.url() + path, {
      method,
      agent: false,
      headers: { "x-api-key": this.key, ...headers },
    }, (response) => {
      const parts: Uint8Array[] = [];
      response.on("data", (part: Uint8Array) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(
            Object.entries(response.headers).map(([name, value]): [string, string] => [
              name,
              String(value),
            ]),
          ),
          body: parts.map((part) => new TextDecoder().decode(part)).join(""),
        }));
    });
    request.on("error", reject);
    request.end();
    return promise;
  }

  /** How often the backend was asked for what lies below a path. */
  asked(path: string): number {
    return this.upstream.received.filter(({ target }) => target.startsWith(path)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.portico[Symbol.asyncDispose]();
    await this.upstream[Symbol.asyncDispose]();
  }
}

Deno.test("the cache over the wire", async (t) => {
  await using site = await Site.start();

  await t.step(
    "what one isolate has stored every isolate gives, with Age and X-Cache",
    async () => {
      const first = await site.call(`/api/shared?${FRESH}&h-date=`);
      assert.equal(first.headers.get("x-cache"), "MISS");
      for (let call = 0; call < 20; call++) {
        const { status, headers, body } = await site.call(`/api/shared?${FRESH}&h-date=`);
        assert.deepEqual([status, body, headers.get("x-cache")], [200, first.body, "HIT"]);
        assert.match(headers.get("age") ?? "", /^\d+$/);
        assert.equal(headers.get("cache-control"), "max-age=60");
        assert.notEqual(headers.get("x-request-id"), first.headers.get("x-request-id"));
      }
      assert.equal(site.asked("/shared"), 1);
    },
  );

  await t.step(
    "callers with different keys share an answer; the key is no part of its URL",
    async () => {
      const { key } = await site.admin.addUser();
      const first = await site.call(`/api/keys?${FRESH}`);
      const second = await site.call(`/api/keys?api_key=${key}&${FRESH}`, { "x-api-key": "" });
      const third = await site.call(`/api/keys?${FRESH}`, {
        "x-api-key": "",
        authorization: `Basic ${btoa(`${key}:`)}`,
      });
      assert.deepEqual([second.body, third.body], [first.body, first.body]);
    },
  );

  await t.step(
    "how one caller spells the host shows in no answer to another, and one purge is for all",
    async () => {
      const path = `/api/spelled?${FRESH}`;
      const ask = async (host: string) => {
        const request = closingGet(path, `X-Api-Key: ${site.key}`);
        const answer = await exchangeBytes(
          site.portico.port,
          request.replace("a.example", host),
        );
        assert.equal(answer.status, 200);
        return answer.body;
      };
      const hosts = ["a.example", "A.example", "a.example.", "a.example:80"];
      const bodies: string[] = [];
      for (const host of hosts) bodies.push(await ask(host));
      assert.equal(new Set(bodies).size, hosts.length);
      for (const [index, host] of hosts.entries()) assert.equal(await ask(host), bodies[index]);
      const purge = { url: `http://a.example${path}` };
      const { purged } = await site.admin.expect(200, "POST", "/cache/purge", purge);
      assert.equal(purged, hosts.length);
    },
  );

  await t.step("a call without a key is refused, whatever is stored", async () => {
    await site.call(`/api/refused?${FRESH}`);
    assert.equal((await site.call(`/api/refused?${FRESH}`, { "x-api-key": "" })).status, 403);
  });

  await t.step("50 calls at one time over as many connections are one to the backend", async () => {
    const calls = Array.from({ length: 50 }, () => site.call(`/api/herd?${FRESH}&wait`));
    await until(() => site.asked("/herd") > 0, "the first call");
    site.gate.resolve();
    const answers = await Promise.all(calls);
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1);
    assert.equal(site.asked("/herd"), 1);
  });

  await t.step("answers that may be private are not kept", async () => {
    const cases: [string, Record<string, string>][] = [
      ["h-cache-control=private%2C+max-age%3D60", {}],
      ["h-cache-control=no-store", {}],
      ["h-x-nothing=said", {}],
      [`${FRESH}&h-set-cookie=session%3D1`, {}],
      [`${FRESH}&h-www-authenticate=Basic`, {}],
      [`${FRESH}&h-vary=*`, {}],
      [`${FRESH}&status=302`, {}],
      [FRESH, { authorization: "Bearer of-a-caller" }],
      [FRESH, { cookie: "session=1" }],
    ];
    for (const [index, [query, headers]] of cases.entries()) {
      const path = `/api/private-${index}?${query}`;
      const bodies = [await site.call(path, headers), await site.call(path, headers)];
      assert.notEqual(bodies[0]?.body, bodies[1]?.body, query);
    }
  });

  await t.step("cookies that may be left out do not keep an answer out", async () => {
    const path = `/api/cookies?${FRESH}&h-set-cookie=lb_server%3D1`;
    const [first, second] = [await site.call(path), await site.call(path)];
    assert.equal(second.body, first.body);
    assert.equal(first.headers.get("set-cookie"), null);
    assert.equal(second.headers.get("set-cookie"), null);
  });

  await t.step("credentials that the gateway adds keep nothing out", async () => {
    const first = await site.call(`/other/added?${FRESH}`);
    assert.equal((await site.call(`/other/added?${FRESH}`)).body, first.body);
    assert.match(String(site.upstream.last.headers.authorization), /^Basic /);
  });

  await t.step(
    "settings: off, kept without a word of the backend, never with the key passed on",
    async () => {
      for (
        const [path, hits] of [["/off/", false], ["/kept/", true], ["/keyed/", false]] as const
      ) {
        const query = path === "/off/" ? FRESH : "x=1";
        const first = await site.call(`${path}setting?${query}`);
        const second = await site.call(`${path}setting?${query}`);
        assert.equal(second.body === first.body, hits, path);
      }
    },
  );

  await t.step("Surrogate-Control is for the gateway alone", async () => {
    const path = "/api/surrogate?h-surrogate-control=max-age%3D60&h-cache-control=no-store";
    const [first, second] = [await site.call(path), await site.call(path)];
    assert.equal(second.body, first.body);
    for (const { headers } of [first, second]) {
      assert.equal(headers.get("surrogate-control"), null);
      assert.equal(headers.get("cache-control"), "no-store");
    }
  });

  await t.step("Vary keeps answers apart", async () => {
    const path = `/api/vary?${FRESH}&h-vary=Accept-Language`;
    const de = await site.call(path, { "accept-language": "de" });
    const fr = await site.call(path, { "accept-language": "fr" });
    assert.notEqual(de.body, fr.body);
    assert.equal((await site.call(path, { "accept-language": "de" })).body, de.body);
  });

  await t.step("HEAD is answered from GET's answer", async () => {
    const path = `/api/head?${FRESH}`;
    const { body } = await site.call(path);
    const head = await site.call(path, {}, "HEAD");
    assert.equal(head.headers.get("x-cache"), "HIT");
    assert.equal(head.headers.get("content-length"), String(body.length));
    assert.equal(head.body, "");
  });

  await t.step("parts and conditions are answered from what is stored", async () => {
    const path = `/api/parts?${FRESH}&h-etag=%22one%22`;
    const { body } = await site.call(path);
    const part = await site.call(path, { range: "bytes=0-5" });
    assert.deepEqual([part.status, part.body], [206, body.slice(0, 6)]);
    assert.equal(part.headers.get("content-range"), `bytes 0-5/${body.length}`);
    assert.equal(part.headers.get("content-length"), "6");
    const unchanged = await site.call(path, { "if-none-match": '"one"' });
    assert.deepEqual([unchanged.status, unchanged.body], [304, ""]);
    assert.equal(unchanged.headers.get("etag"), '"one"');
    assert.equal((await site.call(path, { range: "bytes=999-" })).status, 416);
    assert.equal(site.asked("/parts"), 1);
  });

  await t.step("a change by POST has the next GET ask anew", async () => {
    const path = `/api/changed?${FRESH}`;
    const first = await site.call(path);
    await site.call(path, {}, "POST");
    const second = await site.call(path);
    assert.notEqual(second.body, first.body);
    assert.equal((await site.call(path)).body, second.body);
  });

  await t.step("a hit is recorded as one, and no server with it", async () => {
    const path = `/api/recorded?${FRESH}`;
    await site.call(path);
    await site.call(path);
    await until(
      async () => (await site.admin.logs("request_path=/api/recorded")).length === 2,
      "both rows",
    );
    const [hit, miss] = await site.admin.logs("request_path=/api/recorded");
    assert.deepEqual([hit?.response_cache, miss?.response_cache], ["HIT", "MISS"]);
    assert.equal(hit?.api_backend_resolved_host, undefined);
    assert.equal(hit?.response_size, miss?.response_size);
    assert.equal(
      (await site.admin.logs("response_cache=HIT&request_path=/api/recorded")).length,
      1,
    );
  });

  await t.step("a hit is counted against the caller's limits and tells of them", async () => {
    const { key } = await site.admin.addUser({
      settings: {
        rate_limit_mode: "custom",
        rate_limits: [{
          duration: 86_400_000,
          limit_by: "api_key",
          limit: 2,
          response_headers: true,
        }],
      },
    });
    const call = () => site.call(`/api/shared?${FRESH}&h-date=`, { "x-api-key": key });
    assert.equal((await call()).headers.get("x-ratelimit-remaining"), "1");
    assert.equal((await call()).headers.get("x-ratelimit-remaining"), "0");
    assert.equal((await call()).status, 429);
  });

  await t.step(
    "a purge by URL, prefix, backend or all is done everywhere once it is answered",
    async () => {
      const { port } = site.portico;
      const path = `/api/purged/one?${FRESH}`;
      const purges = [
        { url: path },
        { url: `http://LOCALHOST:${port}${path}` },
        { prefix: "/api/purged/" },
        { prefix: `http://localhost:${port}/api/purged/` },
        { backend_id: "file /api/" },
        { all: true },
      ];
      for (const purge of purges) {
        const { body } = await site.call(path);
        const { purged } = await site.admin.expect(200, "POST", "/cache/purge", purge);
        assert.ok(Number(purged) >= 1, JSON.stringify(purge));
        for (let call = 0; call < 4; call++) assert.notEqual((await site.call(path)).body, body);
      }
      await site.call(path);
      for (const purge of [{ url: "/api/purged/" }, { prefix: "/apis/" }, { backend_id: "none" }]) {
        const { purged } = await site.admin.expect(200, "POST", "/cache/purge", purge);
        assert.equal(purged, 0, JSON.stringify(purge));
      }
      for (const purge of [{}, { url: "x" }, { all: true, url: "/x" }, { prefix: "ftp://a/" }]) {
        await site.admin.expect(422, "POST", "/cache/purge", purge);
      }
    },
  );

  await t.step("the page of the cache shows how full it is, and purges", async () => {
    const signedIn = await fetch(`${site.portico.url()}/admin/api/v1/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "admin@example.org", password }),
    });
    await signedIn.body?.cancel();
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const page = async (fields: Record<string, string> | null, query = "") => {
      const origin = site.portico.url();
      const response = await fetch(`${origin}/admin/cache${query}`, {
        method: fields === null ? "GET" : "POST",
        headers: { cookie, origin },
        body: fields === null ? null : new URLSearchParams(fields),
      });
      return { status: response.status, text: await response.text() };
    };
    const path = `/api/paged?${FRESH}`;
    const { body } = await site.call(path);
    const shown = await page(null, "?backend_id=file+%2Fother%2F");
    assert.match(shown.text, /calls that could be/);
    assert.match(
      shown.text,
      /<option[^>]*value="file \/other\/"[^>]*selected|selected[^>]*value="file \/other\/"/,
    );
    assert.equal((await page({ prefix: "paged" })).status, 422);
    assert.match((await page({ url: "" })).text, /URL can(&#39;|')t be blank/);
    assert.match(
      (await page({ prefix: "/api/paged" })).text,
      /1 answer was given up: below \/api\/paged/,
    );
    assert.notEqual((await site.call(path)).body, body);
    assert.match((await page({ backend_id: "file /api/" })).text, /given up: of \/api\//);
    assert.match((await page({ all: "true" })).text, /all that were stored/);
  });

  await t.step("how full it is can be read", async () => {
    await site.call(`/api/figures?${FRESH}`);
    await site.call(`/api/figures?${FRESH}`);
    const figures = await site.admin.expect(200, "GET", "/cache");
    for (const name of ["entries", "bytes", "hits", "misses"]) {
      assert.ok(Number(figures[name]) > 0, name);
    }
    assert.ok(Number(figures.max_bytes) > 200e6);
  });

  await t.step("an answer out of the cache says its length once", async () => {
    await site.call(`/api/framed?${FRESH}`);
    const answer = await exchangeBytes(
      site.portico.port,
      closingGet(`/api/framed?${FRESH}`, `X-Api-Key: ${site.key}`).replace(
        "a.example",
        `localhost:${site.portico.port}`,
      ),
    );
    assert.deepEqual(headerValues(answer, "x-cache"), ["HIT"]);
    assert.deepEqual(headerValues(answer, "content-length"), [String(answer.body.length)]);
  });
});
