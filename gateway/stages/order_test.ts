/**
 * API Umbrella's order of checks (§2.1): whatever else is wrong with a
 * call, the first thing decides.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { compileRanges } from "../exchange/client.ts";
import { compileReferers } from "../exchange/referers.ts";
import type { KeyHolder } from "../keys/key_holder.ts";
import { Reply } from "./call.ts";
import { checks } from "./pipeline.ts";
import { callWith } from "./testing.ts";

const NOW = Date.parse("2030-06-01T00:00:00Z");

/** Ways in which a call can fail, in the order in which they are looked at. */
interface Failing {
  readonly redirected: boolean;
  readonly preflight: boolean;
  readonly plainHttp: "required" | "transition" | null;
  readonly key: "missing" | "invalid" | "disabled" | "expired" | "unverified" | null;
  readonly role: boolean;
  readonly address: "backend" | "key" | null;
  readonly referer: "backend" | "key" | null;
}

const failing: fc.Arbitrary<Failing> = fc.record({
  redirected: fc.boolean(),
  preflight: fc.boolean(),
  plainHttp: fc.constantFrom("required", "transition", null),
  key: fc.constantFrom("missing", "invalid", "disabled", "expired", "unverified", null),
  role: fc.boolean(),
  address: fc.constantFrom("backend", "key", null),
  referer: fc.constantFrom("backend", "key", null),
});

/** The stage and what comes of it; null: the call passes. */
function expected(call: Failing): [stage: string, outcome: string] | null {
  if (call.redirected) return ["https_redirect", "301"];
  if (call.preflight) return ["preflight", "204"];
  if (call.plainHttp === "required") return ["https", "HTTPS_REQUIRED"];
  if (call.key !== null) return ["authenticate", `API_KEY_${call.key.toUpperCase()}`];
  if (call.plainHttp === "transition") return ["https_transition", "HTTPS_REQUIRED"];
  if (call.role) return ["authorize", "API_KEY_UNAUTHORIZED"];
  if (call.address !== null) return ["address", "API_KEY_UNAUTHORIZED"];
  if (call.referer !== null) return ["referer", "API_KEY_UNAUTHORIZED"];
  return null;
}

function decided(failing: Failing): [stage: string, outcome: string] | null {
  const call = callThatFails(failing);
  for (const { name, decide } of checks) {
    const decision = decide(call, NOW);
    if (decision instanceof Reply) return [name, String(decision.status)];
    if (decision !== null) return [name, decision.code];
  }
  return null;
}

const ELSEWHERE = ["192.0.2.200"];
const OTHER_PAGE = ["https://other.example/*"];

function callThatFails({ redirected, preflight, plainHttp, key, role, address, referer }: Failing) {
  return callWith({
    https: !redirected && plainHttp === null,
    method: preflight ? "OPTIONS" : "GET",
    headers: {
      ...(key === "missing" ? {} : { "x-api-key": "k" }),
      ...(preflight ? { "access-control-request-method": "GET" } : {}),
      origin: "https://page.example",
    },
    settings: {
      redirect_https: redirected,
      cors: preflight,
      require_https: plainHttp === null
        ? "optional"
        : plainHttp === "required"
        ? "required_return_error"
        : "transition_return_error",
      require_https_transition_start_at: "2030-01-01T00:00:00Z",
      api_key_verification_level: key === "unverified" ? "required_email" : "none",
      required_roles: role ? ["staff"] : [],
      allowed_ips: address === "backend" ? ELSEWHERE : [],
      allowed_referers: referer === "backend" ? OTHER_PAGE : [],
    },
    holder: key === "missing" || key === "invalid" ? null : {
      enabled: key !== "disabled",
      expiresAt: key === "expired" ? NOW : Infinity,
      createdAt: NOW,
      allowedAddresses: compileRanges(address === "key" ? ELSEWHERE : []),
      allowedReferers: compileReferers(referer === "key" ? OTHER_PAGE : []),
    } satisfies Partial<KeyHolder>,
  });
}

Deno.test("of all that is wrong with a call, what comes first in API Umbrella's order decides", () => {
  fc.assert(
    fc.property(failing, (failing) => assert.deepEqual(decided(failing), expected(failing))),
    { numRuns: 1000 },
  );
});

Deno.test("a call with nothing wrong passes every check", () => {
  const fine = {
    redirected: false,
    preflight: false,
    plainHttp: null,
    key: null,
    role: false,
    address: null,
    referer: null,
  };
  assert.equal(decided(fine), null);
});
