/** What callers read who are not let through, over the wire: formats, templates, data, headers. */
import assert from "node:assert/strict";
import { type AdminClient, setUp } from "./harness/admin.ts";
import { startPortico } from "./harness/portico.ts";
import { closingGet, exchangeBytes, headerValues, type RawAnswer } from "./harness/raw.ts";
import { closedPort } from "@/gateway/upstream/testing/byte_upstream.ts";

function backend(prefix: string, settings: Record<string, unknown>, more = {}) {
  return {
    name: prefix,
    servers: [{ host: "127.0.0.1", port: closedPort() }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings,
    ...more,
  };
}

const defaults = {
  rate_limit_mode: "unlimited",
  error_data: {
    common: { owner: "the agency", contact_url: "{{base_url}}/help" },
    not_found: { message: "Nothing here, says {{owner}}" },
  },
};

const own = {
  error_templates: {
    json: '{"fault": {{code}}, "text": {{message}}, "status": {{status_code}}, ' +
      '"id": {{request_id}}, "get": {{signupUrl}}, "missing": "none"}',
    xml: "\n <fault code='{{code}}'>{{message}}</fault> \n",
    csv: "fault,text\n{{code}},{{message}}",
    html: "<p id={{none}}>{{message}} {{malformed</p>",
  },
  error_data: {
    common: { owner: '"<us> & them"' },
    api_key_missing: { message: "{{owner}} want a key", status_code: 401, code: "NO_KEY" },
  },
};

function configuration(): string {
  return JSON.stringify({ // which is YAML too
    site_name: "Example API",
    base_url: "https://api.example",
    default_api_backend_settings: defaults,
    apis: [
      backend("/built-in/", {}),
      backend("/own/", own, {
        sub_settings: [{
          http_method: "any",
          regex: "^/sub",
          settings: {
            error_templates: { json: '{"sub": {{message}}}' },
            error_data: { api_key_missing: { message: "Sub of {{owner}}" } },
          },
        }],
      }),
      backend("/cors/", {
        cors: true,
        cors_allowed_origins: ["https://app.example"],
        disable_api_key: true,
      }),
      backend("/limited/", {
        disable_api_key: true,
        rate_limits: [
          { duration: 366 * 86_400_000, limit_by: "ip", limit: 1, response_headers: true },
        ],
        rate_limit_bucket_name: "limited",
      }),
      backend("/secure/", { require_https: "required_return_error" }),
      backend("/feed.xml", {}),
    ],
  });
}

Deno.test("refusals", async (t) => {
  await using portico = await startPortico({ config: configuration() });
  const get = (target: string, ...headers: string[]) =>
    exchangeBytes(portico.port, closingGet(target, ...headers));
  const value = (answer: RawAnswer, name: string) => headerValues(answer, name).join(" | ");
  const type = async (target: string, ...headers: string[]) =>
    value(await get(target, ...headers), "content-type").replace("; charset=utf-8", "");

  await t.step("extension, then format, then Accept, then JSON", async () => {
    assert.equal(await type("/built-in/a.xml?format=csv", "Accept: text/html"), "application/xml");
    assert.equal(await type("/built-in/a?format=csv", "Accept: text/html"), "text/csv");
    assert.equal(await type("/built-in/a?format[]=csv&format=xml"), "application/xml");
    assert.equal(await type("/built-in/a?format[x]=csv", "Accept: text/html"), "text/html");
    assert.equal(await type("/built-in/a?format=pdf", "Accept: text/csv"), "text/csv");
    assert.equal(await type("/built-in/a", "Accept: text/*;q=0.5, text/html"), "text/html");
    assert.equal(await type("/built-in/a", "Accept: text/xml"), "text/xml");
    assert.equal(await type("/built-in/a", "Accept: */*"), "application/json");
    assert.equal(await type("/built-in/a"), "application/json");
    assert.equal(await type("/nowhere.html"), "text/html");
  });

  await t.step("it is the backend's path whose extension counts", async () => {
    assert.equal(await type("/feed.xml"), "application/json");
    assert.equal(await type("/feed.xmla.csv"), "text/csv");
  });

  await t.step("each format has code and message in its own way", async () => {
    const body = async (extension: string) => (await get(`/built-in/a.${extension}`)).body;
    const message = "No api_key was supplied. Get one at https://api.example/signup/";
    assert.equal(
      await body("json"),
      `{"error":{"code":"API_KEY_MISSING","message":"${message}"}}`,
    );
    assert.match(
      await body("xml"),
      new RegExp(
        `<response>\\s*<error>\\s*<code>API_KEY_MISSING</code>\\s*` +
          `<message>${message}</message>`,
      ),
    );
    assert.equal(
      await body("csv"),
      `Error Code,Error Message\n"API_KEY_MISSING","${message}"\n`,
    );
    const page = await body("html");
    assert.match(page, /<h1>This call needs an API key<\/h1>/);
    assert.match(page, /<code>X-Api-Key: your-key<\/code>/);
    assert.match(page, /<dd>API_KEY_MISSING<\/dd>/);
  });

  await t.step(
    "nobody keeps or guesses at a refusal, and pages of any site may read it",
    async () => {
      const answer = await get("/built-in/a");
      assert.equal(value(answer, "cache-control"), "no-store");
      assert.equal(value(answer, "x-content-type-options"), "nosniff");
      assert.equal(value(answer, "access-control-allow-origin"), "*");
      assert.match(value(answer, "x-request-id"), /^\S{8,}$/);
    },
  );

  await t.step("HEAD gets the same fields and no body", async () => {
    const request = closingGet("/built-in/a").replace("GET", "HEAD");
    const head = await exchangeBytes(portico.port, request);
    assert.equal(head.status, 403);
    assert.equal(value(head, "content-length"), String((await get("/built-in/a")).body.length));
    assert.equal(head.body, "");
  });

  await t.step("a backend's templates and data are filled in, each value escaped", async () => {
    const json = await get("/own/a");
    assert.equal(json.status, 401);
    assert.deepEqual(JSON.parse(json.body), {
      fault: "NO_KEY",
      text: '"<us> & them" want a key',
      status: 401,
      id: value(json, "x-request-id"),
      get: "https://api.example/signup/",
      missing: "none",
    });
    assert.equal(
      (await get("/own/a.xml")).body,
      "<fault code='NO_KEY'>&quot;&lt;us&gt; &amp; them&quot; want a key</fault>",
    );
    assert.equal(
      (await get("/own/a.csv")).body,
      'fault,text\n"NO_KEY","""<us> & them"" want a key"',
    );
    assert.equal(
      (await get("/own/a.html")).body,
      "<p id={{none}}>&quot;&lt;us&gt; &amp; them&quot; want a key {{malformed</p>",
    );
    assert.equal(value(json, "content-type"), "application/json; charset=utf-8");
  });

  await t.step("a sub-URL changes what it names, and has the rest from its backend", async () => {
    const json = await get("/own/sub");
    assert.equal(json.status, 401);
    assert.deepEqual(JSON.parse(json.body), { sub: 'Sub of "<us> & them"' });
    assert.match((await get("/own/sub.xml")).body, /^<fault code='NO_KEY'>Sub of &quot;/);
  });

  await t.step("an unknown URL has the default settings' words", async () => {
    const { error } = JSON.parse((await get("/nowhere")).body);
    assert.deepEqual(error, { code: "NOT_FOUND", message: "Nothing here, says the agency" });
  });

  await t.step("variables of the default settings reach every backend's refusals", async () => {
    const { error } = JSON.parse((await get("/built-in/a", "X-Api-Key: wrong-key")).body);
    assert.equal(error.code, "API_KEY_INVALID");
    assert.doesNotMatch(error.message, /\{\{/);
  });

  await t.step("a caller's URL is text in the answer: neither markup nor a tag", async () => {
    const target = "/secure/<b>{{owner}}'\"?x={{https_url}}";
    const html = await get(target, "Accept: text/html");
    assert.equal(html.status, 400);
    assert.doesNotMatch(html.body, /<b>/);
    assert.match(html.body, /https:\/\/a\.example\/secure\/&lt;b&gt;\{\{owner\}\}&#39;&quot;\?x=/);
    const json = await get(target);
    assert.match(JSON.parse(json.body).error.message, /<b>\{\{owner\}\}'"\?x=\{\{https_url\}\}$/);
  });

  await t.step("a 429 tells people when to come again, and programs the same", async () => {
    const failed = await get("/limited/a");
    assert.equal(failed.status, 503);
    assert.equal(value(failed, "x-ratelimit-remaining"), "0");
    const page = await get("/limited/a", "Accept: text/html");
    assert.equal(page.status, 429);
    assert.match(value(page, "retry-after"), /^\d+$/);
    assert.match(page.body, /You can call again in \d+ days\./);
  });

  await t.step("a backend with CORS lets its pages read refusals, and those alone", async () => {
    const from = (origin: string) => get("/cors/a", `Origin: ${origin}`);
    const allowed = await from("https://app.example");
    assert.equal(allowed.status, 503);
    assert.equal(value(allowed, "access-control-allow-origin"), "https://app.example");
    assert.equal(
      value(await from("https://else.example"), "access-control-allow-origin"),
      "",
    );
  });
});

Deno.test("templates and data are checked when they are saved", async (t) => {
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const save = (settings: Record<string, unknown>) =>
    admin.call("POST", "/backends", {
      name: "Backend",
      servers: [{ host: "127.0.0.1", port: 9 }],
      url_matches: [{ frontend_prefix: "/", backend_prefix: "/" }],
      settings,
    });
  const faults = async (settings: Record<string, unknown>) => {
    const response = await save(settings);
    const { errors } = await response.json();
    assert.equal(response.status, 422);
    return (errors as { field: string; message: string }[])
      .map(({ field, message }) => `${field} ${message}`);
  };

  await t.step("a JSON template must give JSON", async () => {
    const [fault = ""] = await faults({ error_templates: { json: '{"a": "{{message}}"}' } });
    assert.match(fault, /^settings\.error_templates\.json does not give JSON: /);
  });
  await t.step("a status must be one that an answer can have", async () => {
    const [fault = ""] = await faults({ error_data: { over_rate_limit: { status_code: 204 } } });
    assert.match(fault, /^settings\.error_data\.over_rate_limit holds a status_code/);
  });
  await t.step("refusals that there are not are named", async () => {
    const [fault = ""] = await faults({ error_data: { api_key_mising: {} } });
    assert.match(fault, /did you mean "api_key_missing"\?/);
  });
  await t.step("what is good is saved as it was sent", async () => {
    await kept(admin, {
      error_templates: { json: '{"a": {{message}}}', xml: "<not well-formed" },
      error_data: { common: { n: 1, yes: true, text: "{{n}}" } },
    });
  });
});

async function kept(admin: AdminClient, settings: Record<string, unknown>): Promise<void> {
  const id = await admin.addBackend(9, "/kept/", { settings });
  const saved = (await admin.expect(200, "GET", `/backends/${id}`)).settings;
  const { error_templates, error_data } = saved as Record<string, Record<string, unknown>>;
  assert.deepEqual({ error_templates, error_data }, settings);
}
