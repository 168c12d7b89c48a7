import assert from "node:assert/strict";
import fc from "fast-check";
import { generateApiKey } from "../keys/api_key.ts";
import { rewrite } from "./rewrite.ts";
import { type CallOptions, callWith } from "./testing.ts";

function sent(options: CallOptions) {
  const outgoing = rewrite(callWith(options));
  assert.ok("target" in outgoing, "the call goes on");
  const { target, headers } = outgoing;
  return {
    target,
    headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
  };
}

Deno.test("the frontend prefix is replaced, the rest of the path and the query are kept", () => {
  const options = { frontendPrefix: "/api/v1/", backendPrefix: "/internal/" };
  assert.equal(
    sent({ ...options, url: "http://a.example/api/v1/x//y%2Fz?a=1&&b=%20" }).target,
    "/internal/x//y%2Fz?a=1&&b=%20",
  );
});

Deno.test("the key leaves header, query and Basic, wherever it came from", () => {
  const key = generateApiKey();
  const { target, headers } = sent({
    url: `http://a.example/api/x?api_key=${key}&keep=1`,
    headers: { "x-api-key": key, authorization: `Basic ${btoa(`${key}:`)}` },
  });
  assert.equal(target, "/x?keep=1");
  assert.ok(![...headers].some(([, value]) => value.includes(key)));
  assert.equal(headers.get("authorization"), null);
});

Deno.test("the key leaves a Referer, and Authorization fields that came twice", () => {
  const key = generateApiKey();
  const basic = `Basic ${btoa(`${key}:`)}`;
  const { headers } = sent({
    headers: {
      "x-api-key": key,
      authorization: `${basic}, ${basic}`,
      referer: `http://a.example/api/page?api_key=${key}&keep=1`,
    },
  });
  assert.equal(headers.get("authorization"), null);
  assert.equal(headers.get("referer"), "http://a.example/api/page?keep=1");
});

Deno.test("joined credentials of another scheme than Basic are passed on", () => {
  const authorization = 'Digest username="basic", uri="/a, b"';
  assert.equal(sent({ headers: { authorization } }).headers.get("authorization"), authorization);
});

Deno.test("no caller can name another path, or pass for a proxy of ours", () => {
  const forged = {
    "x-original-url": "/admin",
    "x_rewrite_url": "/admin",
    "x-forwarded-user": "root",
    "x_forwarded.ssl": "on",
    "proxy": "http://evil.example",
  };
  const { headers } = sent({ headers: forged });
  for (const name of Object.keys(forged)) assert.equal(headers.get(name), null, name);
});

Deno.test("a caller's own Basic credentials are passed on when the key came another way", () => {
  const authorization = `Basic ${btoa("their:own")}`;
  const { headers } = sent({ headers: { "x-api-key": "k", authorization } });
  assert.equal(headers.get("authorization"), authorization);
});

Deno.test("the holder's id and roles go to the upstream, and only the gateway can say them", () => {
  const forged = { "x-api-user-id": "forged", "x_api_roles": "forged", "x.api.user.id": "forged" };
  const known = sent({ headers: forged, holder: { id: "u-1", roles: new Set(["a", "b"]) } });
  assert.equal(known.headers.get("x-api-user-id"), "u-1");
  assert.equal(known.headers.get("x-api-roles"), "a,b");
  const nobody = sent({ headers: forged, holder: null });
  assert.ok(![...nobody.headers].some(([, value]) => value === "forged"));
});

Deno.test("headers of the settings replace the caller's, whatever their case", () => {
  const settings = { headers: [{ key: "X-Mine", value: "ours" }, { key: "Host", value: "set" }] };
  const { headers } = sent({ settings, headers: { "x-mine": "theirs" } });
  assert.equal(headers.get("x-mine"), "ours");
  assert.equal(headers.get("host"), "set");
});

Deno.test("a backend may have the key in a header, which a header that is set comes before", () => {
  const options = {
    url: "http://a.example/api/x?api_key=K",
    settings: { pass_api_key_header: true },
  };
  assert.equal(sent(options).headers.get("x-api-key"), "K");
  assert.equal(sent(options).target, "/x");
  const headers = [{ key: "X-Api-Key", value: "theirs" }];
  const settings = { ...options.settings, headers };
  assert.equal(sent({ ...options, settings }).headers.get("x-api-key"), "theirs");
  assert.equal(sent({ ...options, holder: null }).headers.get("x-api-key"), null);
});

Deno.test("a backend may have the key in the query, as the last argument, in place of a wrong one", () => {
  const settings = { pass_api_key_query_param: true, append_query_string: "z=1" };
  const headers = { "x-api-key": "K&" };
  const target = (url: string) => sent({ url, headers, settings }).target;
  assert.equal(target("http://a.example/api/x"), "/x?z=1&api_key=K%26");
  assert.equal(target("http://a.example/api/x?api_key=wrong&a=1"), "/x?a=1&z=1&api_key=K%26");
});

Deno.test("a key in the query is put behind what rewrites make, which never see it", () => {
  const rewrites = [{
    matcher_type: "regex",
    http_method: "any",
    frontend_matcher: "^/(.*)$",
    backend_replacement: "/all/$1",
  }] as const;
  const settings = { pass_api_key_query_param: true };
  const { target } = sent({ headers: { "x-api-key": "K" }, settings, rewrites });
  assert.equal(target, "/all/x?api_key=K");
});

Deno.test("templates see who calls, and neither the key nor the gateway's own cookies", () => {
  const value = "{{headers.x-api-user-id}}|{{headers.x-api-roles}}|{{headers.x-api-key}}|" +
    "{{headers.authorization}}|{{headers.cookie}}";
  const { headers } = sent({
    headers: {
      "x-api-user-id": "forged",
      authorization: `Basic ${btoa("K:")}`,
      cookie: "portico_session=secret; a=1",
    },
    settings: { headers: [{ key: "X-Seen", value }], pass_api_key_header: true },
    holder: { id: "u-1", roles: new Set(["a"]) },
  });
  assert.equal(headers.get("x-seen"), "u-1|a|||a=1");
  assert.equal(headers.get("x-api-key"), "K");
});

Deno.test("credentials for the backend come in place of the caller's, and of a header that is set", () => {
  const settings = {
    http_basic_auth: "user:p\u00e4ss",
    headers: [{ key: "Authorization", value: "set" }],
  };
  const { headers } = sent({ headers: { authorization: "Bearer theirs" }, settings });
  assert.equal(headers.get("authorization"), "Basic dXNlcjpww6Rzcw==");
});

Deno.test("cookies are stripped last, those that the settings set among them", () => {
  const settings = { headers: [{ key: "Cookie", value: "_ga=1;{{{headers.cookie}}}" }] };
  const { headers } = sent({ headers: { cookie: "b=2;_ga=3" }, settings, stripCookies: ["^_ga$"] });
  assert.equal(headers.get("cookie"), "b=2");
});

Deno.test("rewrites see what goes out but for the key, one after the other", () => {
  const rewrites = [{
    matcher_type: "route",
    http_method: "GET",
    frontend_matcher: "/things/:id?more=1",
    backend_replacement: "/t/{{id}}",
  }, {
    matcher_type: "regex",
    http_method: "any",
    frontend_matcher: "^/T/(\\d+)",
    backend_replacement: "/numbered/$1?q=\u00e9 #",
  }] as const;
  const options = { settings: { append_query_string: "more=1" }, rewrites };
  const url = "http://a.example/api/things/7?api_key=K";
  assert.equal(sent({ ...options, url }).target, "/numbered/7?q=%C3%A9%20%23");
  assert.equal(sent({ ...options, url, method: "PUT" }).target, "/things/7?more=1");
});

Deno.test("what rewrites make of a call is refused where it would have been in the call itself", () => {
  const rewritten = (frontend_matcher: string, backend_replacement: string, url: string) =>
    rewrite(callWith({
      url: `http://a.example/api${url}`,
      rewrites: [
        { matcher_type: "regex", http_method: "any", frontend_matcher, backend_replacement },
      ],
    }));
  for (
    const [matcher, replacement, url] of [
      ["[?]", "/", "/x?../admin"],
      ["[?]", "/", "/x?%2e%2e/admin"],
      ["[?]", "/", "/x?a%0ab"],
      ["_", "%2e", "/_/admin"],
      ["_", "%36", "/%_1"],
      ["x", "xxxxxxxx".repeat(30), `/${"x".repeat(300)}`],
    ] as const
  ) {
    const outgoing = rewritten(matcher, replacement, url);
    assert.ok("code" in outgoing && outgoing.code === "BAD_REQUEST", url);
  }
  const outgoing = rewritten("^/(.*)$", "$1", "/http://evil.example/");
  assert.equal("target" in outgoing && outgoing.target, "/http://evil.example/");
});

Deno.test("no dot segment and no escape comes about where a prefix meets the rest of a path", () => {
  for (
    const [frontendPrefix, backendPrefix, rest] of [
      ["/api", "/v1/", "../admin"],
      ["/api", "/v1/", ".."],
      ["/api", "/v1/", "%2e%2e/admin"],
      ["/api", "/v1/", "..;a=1/admin"],
      ["/api", "/v1/", "./admin"],
      ["/api", "/v1/", "..%2fadmin"],
      ["/api", "/v1/", "..%5cadmin"],
      ["/api", "/v1/%2", "E./admin"],
      ["/api/", "/v1/%", "2e"],
      ["/api/", "/v1/%0", "Ax"],
    ] as const
  ) {
    const url = `http://a.example${frontendPrefix}${rest}`;
    const outgoing = rewrite(callWith({ url, frontendPrefix, backendPrefix }));
    assert.ok("code" in outgoing && outgoing.code === "BAD_REQUEST", `${backendPrefix}${rest}`);
  }
  const url = "http://a.example/api..x/...";
  assert.equal(sent({ url, frontendPrefix: "/api", backendPrefix: "/v1/" }).target, "/v1/..x/...");
});

Deno.test("property: no header a caller can send survives under one of the gateway's names", () => {
  const ours = ["x-api-user-id", "x-api-roles", "x-forwarded-for", "x-real-ip", "x-request-id"];
  const spelling = fc.constantFrom(...ours).chain((name) =>
    fc.array(fc.constantFrom(..."-_.~|!#$%&'*+^`"), { minLength: 4, maxLength: 4 }).map((marks) => {
      let mark = 0;
      return name.replace(/-/g, () => marks[mark++] ?? "-");
    })
  );
  fc.assert(fc.property(fc.array(spelling, { minLength: 1, maxLength: 5 }), (names) => {
    const headers = Object.fromEntries(names.map((name) => [name, "forged"]));
    const { headers: outgoing } = sent({ headers, holder: null });
    assert.ok(![...outgoing].some(([, value]) => value.includes("forged")));
  }));
});
