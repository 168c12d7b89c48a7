import assert from "node:assert/strict";
import { compileRanges } from "../exchange/client.ts";
import { allowAddress, authenticate, authorize, requireHttps } from "./checks.ts";
import { callWith } from "./testing.ts";

const withKey = { headers: { "x-api-key": "k" } };

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
