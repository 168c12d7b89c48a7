import assert from "node:assert/strict";
import fc from "fast-check";
import * as v from "valibot";
import { compileConfiguration } from "../compile/configuration.ts";
import { UpstreamPools } from "../compile/upstream_pools.ts";
import { configurationSchema } from "../config/schema.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { backendInput } from "../records/backend.ts";
import { match } from "./match.ts";
import { rewrite } from "./rewrite.ts";
import { callWith } from "./testing.ts";

type BackendFields = Partial<v.InferInput<typeof backendInput>>;

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Matches calls against a configuration with some backends: `/api/` is their `/`. */
function matching(...backends: BackendFields[]) {
  const config = v.parse(configurationSchema, {
    apis: backends.map((backend) => ({
      name: "Backend",
      servers: [{ host: "192.0.2.1", port: 80 }],
      url_matches: [{ frontend_prefix: "/api/", backend_prefix: "/" }],
      ...backend,
    })),
    website_backends: [{
      frontend_host: "site.example",
      server_host: "192.0.2.1",
      server_port: 80,
    }],
  });
  const compiled = new UpstreamPools(quiet).during((groupOf) =>
    compileConfiguration(config, null, groupOf)
  );
  return (exchange: Exchange) => match(exchange, compiled);
}

/** The roles that a call needs tell which settings hold for it. */
function sub(http_method: "any" | "GET", regex: string, role: string) {
  return { http_method, regex, settings: { required_roles: [role] } };
}

const subUrls = matching({
  sub_settings: [
    sub("GET", "^/things/\\d+$", "get-thing"),
    sub("any", "^/things/", "things"),
    sub("any", "[?&]debug(=|&|$)", "debug"),
  ],
});

function roles(method: string, target: string): readonly string[] | undefined {
  const { exchange } = callWith({ method, url: `http://a.example/api${target}` });
  return subUrls(exchange)?.settings.requiredRoles;
}

Deno.test("the first sub-URL with the method and a matching expression decides", () => {
  assert.deepEqual(roles("GET", "/things/1"), ["get-thing"]);
  assert.deepEqual(roles("POST", "/things/1"), ["things"]);
  assert.deepEqual(roles("HEAD", "/things/1"), ["things"]);
  assert.deepEqual(roles("GET", "/THINGS/x"), ["things"]);
  assert.deepEqual(roles("GET", "/other"), []);
});

Deno.test("sub-URLs are matched against path and query as the backend gets them, without the key", () => {
  assert.deepEqual(roles("GET", "/things/1?x=1"), ["things"]);
  assert.deepEqual(roles("GET", "/things/1?api_key=secret"), ["get-thing"]);
  assert.deepEqual(roles("GET", "/other?a=1&debug"), ["debug"]);
  assert.deepEqual(roles("GET", "/other?api_key=k&debug=1"), ["debug"]);
  assert.deepEqual(roles("GET", "/other?debugging=1"), []);
});

Deno.test("neither escapes nor runs of slashes lead past a sub-URL's expression", () => {
  for (const path of ["/%74hings/1", "//things/1", "/things//1", "///things////1"]) {
    assert.deepEqual(roles("GET", path), ["get-thing"], path);
  }
});

Deno.test("a character and its escape are one to a sub-URL's expression, in path and query", () => {
  const decides = matching({
    sub_settings: [
      sub("any", "^/things:delete$", "delete"),
      sub("any", "^/größe", "umlaut"),
      sub("any", "^/%C3%A9t%C3%A9", "escaped"),
      sub("any", "[?&]debug(=|&|$)", "debug"),
    ],
  });
  const role = (target: string) =>
    decides(callWith({ url: `http://a.example/api${target}` }).exchange)?.settings.requiredRoles[0];
  for (
    const [target, wanted] of [
      ["/things%3Adelete", "delete"],
      ["/things%3adelet%65", "delete"],
      ["/gr%C3%B6%C3%9Fe", "umlaut"],
      ["/gr%c3%b6%c3%9fe%FF", "umlaut"],
      ["/%c3%a9t%C3%A9", "escaped"],
      ["/x?%64ebug=1", "debug"],
      ["/x?a=1&deb%75g", "debug"],
      ["/things%253Adelete", undefined],
      ["/things%3Fdebug", undefined],
      ["/x%2Fthings:delete", undefined],
    ] as const
  ) {
    assert.equal(role(target), wanted, target);
  }
});

Deno.test("a path that a server could read as one of a more particular backend is nobody's", () => {
  const at = (name: string, frontend_prefix: string) => ({
    name,
    url_matches: [{ frontend_prefix }],
  });
  const find = matching(at("all", "/api/"), at("keyed", "/api/keyed/"), at("odd", "/api/o:d;é/"));
  const name = (path: string, host = "a.example") =>
    find(callWith({ url: `http://${host}${path}` }).exchange)?.route.backend.name;
  for (
    const path of [
      ...["/api//keyed/x", "//api/keyed/x", "/api/keyed%2Fx", "/api%2fkeyed%2fx", "/api/keyed%5Cx"],
      ...["/api/;a/keyed/x", "/api/keyed;a=1/x", "/api/keyed\\x", "/api;/%6beyed//x"],
    ]
  ) {
    assert.equal(name(path), undefined, path);
    assert.equal(name(path, "site.example"), undefined, path);
  }
  for (
    const [path, wanted] of [
      ["/api/keyed//x%2Fy;z", "keyed"],
      ["/api/x//keyed/%2F", "all"],
      ["/api/keyedx%2F", "all"],
      ["/api/o:d;%C3%A9/x%2F", "odd"],
      ["/api/%25/http://a.example/", "all"],
    ] as const
  ) assert.equal(name(path), wanted, path);
  assert.equal(name("//x;y%2Fz", "site.example"), "website site.example");
});

/** Paths of what gateways have been walked around with. */
const weirdPath = fc.array(
  fc.constantFrom(
    ...["/", "//", "a", "admin", "A", "%61", "%2F", "%2f", "%5C", "\\", ";x=1", "%", "%%36", "1"],
    ...[
      "é",
      "%C3%A9",
      "%00",
      ".",
      "..",
      "%2e",
      "%2E%2e",
      ":",
      "*",
      "{{x}}",
      "%7B",
      "$1",
      "+",
      "%20",
    ],
  ),
  { maxLength: 12 },
).map((pieces) => `/api/${pieces.join("")}`);

Deno.test("property: the path that is decided on is the path that goes out", () => {
  const decides = matching({ sub_settings: [sub("any", "^/a(dmin)?([/?]|$)", "admin")] });
  fc.assert(
    fc.property(weirdPath, fc.constantFrom("", "?", "?q=/admin", "?api_key=k"), (path, query) => {
      const call = callOrRefused(`http://a.example${path}${query}`);
      if (call === null) return;
      const { exchange } = call;
      const outgoing = rewrite(call);
      assert.ok("target" in outgoing);
      const [sent] = outgoing.target.split("?");
      assert.equal(sent, `/${exchange.path.slice("/api/".length)}`);
      const isAdmin = /^\/+a(dmin)?(\/|$)/i.test(sent ?? "");
      assert.deepEqual(decides(exchange)?.settings.requiredRoles, isAdmin ? ["admin"] : []);
      // Read again, as the backend would: there is nothing left that would be read otherwise.
      assert.equal(callWith({ url: `http://b.example${sent}` }).exchange.path, sent);
    }),
    { numRuns: 2000 },
  );
});

/** Null for a URL that is refused before anything is decided on it. */
function callOrRefused(url: string) {
  try {
    return callWith({ url });
  } catch (error) {
    if (error instanceof Error && /^The (path|request target) holds/.test(error.message)) {
      return null;
    }
    throw error;
  }
}
