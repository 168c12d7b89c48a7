import assert from "node:assert/strict";
import { compileRanges } from "../exchange/client.ts";
import { compileReferers } from "../exchange/referers.ts";
import {
  allowAddress,
  allowReferer,
  authenticate as authenticateAt,
  authorize,
  redirectToHttps,
  requireHttps,
  requireHttpsInTransition,
} from "./checks.ts";
import type { Call } from "./call.ts";
import { callWith } from "./testing.ts";

const withKey = { headers: { "x-api-key": "k" } };
/** A moment of calls, in ms. */
const NOW = Date.parse("2030-06-01T00:00:00Z");
const authenticate = (call: Call) => authenticateAt(call, NOW);

Deno.test("plain HTTP is refused where HTTPS is required", () => {
  const settings = { require_https: "required_return_error" } as const;
  assert.equal(requireHttps(callWith({ settings }))?.code, "HTTPS_REQUIRED");
  assert.equal(requireHttps(callWith({ settings, https: true })), null);
  assert.equal(requireHttps(callWith()), null);
});

Deno.test("a call without a key is refused with API_KEY_MISSING unless keys are optional", () => {
  assert.equal(authenticate(callWith({ holder: null }))?.code, "API_KEY_MISSING");
  const settings = { disable_api_key: true };
  assert.equal(authenticate(callWith({ holder: null, settings })), null);
});

Deno.test("an unknown key is refused with API_KEY_INVALID, even where keys are optional", () => {
  const settings = { disable_api_key: true };
  assert.equal(
    authenticate(callWith({ ...withKey, holder: null, settings }))?.code,
    "API_KEY_INVALID",
  );
});

Deno.test("a disabled key is refused with API_KEY_DISABLED", () => {
  assert.equal(
    authenticate(callWith({ ...withKey, holder: { enabled: false } }))?.code,
    "API_KEY_DISABLED",
  );
  assert.equal(authenticate(callWith(withKey)), null);
});

Deno.test("all required roles are needed", () => {
  const settings = { required_roles: ["read", "write"] };
  const code = (roles: string[]) =>
    authorize(callWith({ ...withKey, settings, holder: { roles: new Set(roles) } }))?.code;
  assert.equal(code(["read"]), "API_KEY_UNAUTHORIZED");
  assert.equal(code(["read", "write", "more"]), undefined);
  assert.equal(authorize(callWith({ settings, holder: null }))?.code, "API_KEY_UNAUTHORIZED");
});

Deno.test("the address must be in the backend's list and in the key's", () => {
  const settings = { allowed_ips: ["10.0.0.0/8"] };
  const code = (address: string, own: string[] = []) =>
    allowAddress(callWith({ settings, address, holder: { allowedAddresses: compileRanges(own) } }))
      ?.code;
  assert.equal(code("10.1.1.1"), undefined);
  assert.equal(code("192.0.2.1"), "API_KEY_UNAUTHORIZED");
  assert.equal(code("10.1.1.1", ["10.2.0.0/16"]), "API_KEY_UNAUTHORIZED");
  assert.equal(code("10.2.1.1", ["10.2.0.0/16"]), undefined);
});

Deno.test("a key is taken until the moment it expires", () => {
  const code = (expiresAt: number) =>
    authenticate(callWith({ ...withKey, holder: { expiresAt } }))?.code;
  assert.equal(code(NOW + 1), undefined);
  assert.equal(code(NOW), "API_KEY_EXPIRED");
});

Deno.test("a key that is both disabled and expired is refused as disabled", () => {
  const holder = { enabled: false, expiresAt: NOW };
  assert.equal(authenticate(callWith({ ...withKey, holder }))?.code, "API_KEY_DISABLED");
});

Deno.test("a verified address is needed where it is required, or by keys from after its transition began", () => {
  const code = (settings: Parameters<typeof callWith>[0], emailVerified = false, createdAt = NOW) =>
    authenticate(callWith({ ...withKey, ...settings, holder: { emailVerified, createdAt } }))?.code;
  const required = { settings: { api_key_verification_level: "required_email" } } as const;
  assert.equal(code(required), "API_KEY_UNVERIFIED");
  assert.equal(code(required, true), undefined);
  assert.equal(code({ settings: { api_key_verification_level: "none" } }), undefined);
  const transition = {
    settings: {
      api_key_verification_level: "transition_email",
      api_key_verification_transition_start_at: new Date(NOW).toISOString(),
    },
  } as const;
  assert.equal(code(transition, false, NOW - 1), undefined);
  assert.equal(code(transition, false, NOW), "API_KEY_UNVERIFIED");
  assert.equal(code(transition, true, NOW), undefined);
  const unbegun = { settings: { api_key_verification_level: "transition_email" } } as const;
  assert.equal(code(unbegun), undefined);
});

Deno.test("in a transition to HTTPS, plain HTTP is refused without a key and with new ones", () => {
  const settings = {
    require_https: "transition_return_error",
    require_https_transition_start_at: new Date(NOW).toISOString(),
  } as const;
  const code = (createdAt: number | null, https = false) =>
    requireHttpsInTransition(
      callWith({ settings, https, holder: createdAt === null ? null : { createdAt } }),
    )?.code;
  assert.equal(code(NOW - 1), undefined);
  assert.equal(code(NOW), "HTTPS_REQUIRED");
  assert.equal(code(null), "HTTPS_REQUIRED");
  assert.equal(code(NOW, true), undefined);
  assert.equal(requireHttps(callWith({ settings })), null);
  const unbegun = { require_https: "transition_return_error" } as const;
  const holder = { createdAt: NOW };
  assert.equal(requireHttpsInTransition(callWith({ settings: unbegun, holder })), null);
});

Deno.test("a call over plain HTTP is sent to the same URL over HTTPS, its key included", () => {
  const settings = { redirect_https: true };
  const url = "http://A.example:8080/api/a%2Fb?x=%61&api_key=k";
  const reply = redirectToHttps(callWith({ settings, url }));
  assert.equal(reply?.status, 301);
  assert.deepEqual(reply.headers, [["location", "https://a.example/api/a%2Fb?x=%61&api_key=k"]]);
  assert.equal(redirectToHttps(callWith({ settings, https: true })), null);
  assert.equal(redirectToHttps(callWith({ url })), null);
  // A server gives the bytes of UTF-8 in a target as characters, and no header can hold those.
  const [location] = redirectToHttps(callWith({ settings, url: "http://a.example/api/€?ü" }))
    ?.headers ?? [];
  assert.deepEqual(location, ["location", "https://a.example/api/%E2%82%AC?%C3%BC"]);
});

Deno.test("a redirect can be read by the pages that may call", () => {
  const settings = { redirect_https: true, cors: true };
  const reply = redirectToHttps(callWith({ settings, headers: { origin: "https://a.example" } }));
  assert.equal(new Map(reply?.headers).get("access-control-allow-origin"), "*");
});

Deno.test("the page must be in the backend's list and in the key's", () => {
  const settings = { allowed_referers: ["https://*.example.org/*"] };
  const code = (referer: string | null, own: string[] = []) =>
    allowReferer(callWith({
      settings,
      headers: referer === null ? {} : { referer },
      holder: { allowedReferers: compileReferers(own) },
    }))?.code;
  assert.equal(code("https://a.example.org/"), undefined);
  assert.equal(code("https://other.example/"), "API_KEY_UNAUTHORIZED");
  assert.equal(code(null), "API_KEY_UNAUTHORIZED");
  assert.equal(code("https://a.example.org/", ["https://b.example.org/*"]), "API_KEY_UNAUTHORIZED");
  assert.equal(code("https://b.example.org/", ["https://b.example.org/*"]), undefined);
});
