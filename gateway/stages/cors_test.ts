import assert from "node:assert/strict";
import type { BackendSettings } from "../records/settings.ts";
import { Refusal } from "../refusal/refusals.ts";
import { Reply } from "./call.ts";
import { answerPreflight, withCors } from "./cors.ts";
import { callWith } from "./testing.ts";

type Settings = Partial<BackendSettings>;

const PAGE = "https://app.example.org";

function preflight(settings: Settings, headers: Record<string, string> = {}) {
  return answerPreflight(callWith({
    method: "OPTIONS",
    holder: null,
    settings,
    headers: { origin: PAGE, "access-control-request-method": "PUT", ...headers },
  }));
}

function fieldsOf(decision: ReturnType<typeof answerPreflight>): Record<string, string> {
  assert.ok(decision instanceof Reply);
  assert.equal(decision.status, 204);
  return Object.fromEntries(decision.headers);
}

function answered(settings: Settings, origin: string | null, theirs: [string, string][] = []) {
  const call = callWith({ settings, headers: origin === null ? {} : { origin } });
  assert.ok(call.settings.cors !== null);
  return Object.fromEntries(withCors(theirs, call.settings.cors, call.exchange));
}

Deno.test("a preflight is answered with what it asks for where nothing is listed", () => {
  const asked = { "access-control-request-headers": "x-api-key, content-type" };
  assert.deepEqual(fieldsOf(preflight({ cors: true }, asked)), {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "PUT",
    "access-control-allow-headers": "x-api-key, content-type",
    "access-control-max-age": "600",
    "vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
  });
});

Deno.test("a preflight is answered with what is listed, to which the key's header belongs", () => {
  const fields = fieldsOf(preflight({
    cors: true,
    cors_allowed_origins: [PAGE],
    cors_allowed_methods: ["GET", "PATCH"],
    cors_allowed_headers: ["Content-Type"],
    cors_allow_credentials: true,
    cors_max_age_seconds: 0,
  }));
  assert.equal(fields["access-control-allow-origin"], PAGE);
  assert.equal(fields["access-control-allow-methods"], "GET, PATCH");
  assert.equal(fields["access-control-allow-headers"], "Content-Type, X-Api-Key");
  assert.equal(fields["access-control-allow-credentials"], "true");
  assert.equal(fields["access-control-max-age"], "0");
});

Deno.test("a preflight of an origin that is not allowed is refused, and the refusal names it", () => {
  const decision = preflight({ cors: true, cors_allowed_origins: ["https://other.example"] });
  assert.ok(decision instanceof Refusal);
  assert.equal(decision.code, "ORIGIN_NOT_ALLOWED");
  assert.equal(decision.reason, PAGE);
});

Deno.test("what is no preflight is left to the other checks, and so is all where CORS is off", () => {
  assert.equal(preflight({}), null);
  assert.equal(preflight({ cors: false, cors_allowed_origins: [PAGE] }), null);
  assert.equal(answerPreflight(callWith({ settings: { cors: true }, method: "OPTIONS" })), null);
  const get = { headers: { origin: PAGE, "access-control-request-method": "PUT" } };
  assert.equal(answerPreflight(callWith({ settings: { cors: true }, ...get })), null);
});

Deno.test("a pattern of origins holds the subdomains of its scheme and port, and nothing else", () => {
  const settings = { cors: true, cors_allowed_origins: ["https://*.example.org"] };
  const allows = (origin: string) => preflight(settings, { origin }) instanceof Reply;
  assert.ok(allows("https://app.example.org"));
  assert.ok(allows("https://a.b.example.org"));
  assert.ok(!allows("https://example.org"));
  assert.ok(!allows("http://app.example.org"));
  assert.ok(!allows("https://app.example.org:8443"));
  assert.ok(!allows("https://evil.example/.example.org"));
  assert.ok(!allows("https://evil.example:80.example.org"));
  assert.ok(!allows("null"));
});

Deno.test("an answer has our CORS fields in place of the upstream's", () => {
  const theirs: [string, string][] = [
    ["access-control-allow-origin", "https://theirs.example"],
    ["access-control-allow-credentials", "true"],
    ["content-type", "text/plain"],
  ];
  const fields = answered({ cors: true, cors_exposed_headers: ["X-Total"] }, PAGE, theirs);
  assert.deepEqual(fields, {
    "content-type": "text/plain",
    "access-control-allow-origin": "*",
    "access-control-expose-headers":
      "X-RateLimit-Limit, X-RateLimit-Remaining, RateLimit, RateLimit-Policy, Retry-After, " +
      "X-Request-Id, X-Total",
  });
});

Deno.test("an answer that depends on the origin says so, besides what it depended on anyway", () => {
  const settings = { cors: true, cors_allowed_origins: [PAGE] };
  const accept: [string, string][] = [["vary", "Accept"], ["vary", "X-A"]];
  assert.equal(answered(settings, PAGE, accept).vary, "Accept, X-A, Origin");
  assert.equal(answered(settings, PAGE, [["vary", "accept, origin"]]).vary, "accept, origin");
  assert.equal(answered(settings, PAGE, [["vary", "*"]]).vary, "*");
  for (const origin of [null, "https://other.example"]) {
    const fields = answered(settings, origin);
    assert.deepEqual(fields, { vary: "Origin" });
  }
});
