/**
 * The decision over one call, top to bottom:
 *
 *   match → authenticate → authorize → limit → rewrite
 *
 * followed by forward → respond → record, the I/O at the end (`gateway/serve/`).
 * Everything here is a pure function of the exchange, the compiled configuration
 * and who the key belongs to; only the rate limiter remembers.
 */
import type { CompiledConfiguration, Route } from "../compile/configuration.ts";
import { readApiKey } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { KeyHolder } from "../keys/key_holder.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { Call, Check } from "./call.ts";
import { allowAddress, authenticate, authorize, boundBody, requireHttps } from "./checks.ts";
import { limit } from "./limit.ts";
import { match } from "./match.ts";
import { type Outgoing, rewrite } from "./rewrite.ts";

/** The checks a matched call must pass, in API Umbrella's order (§2.1); the first refusal ends it. */
const checks: readonly Check[] = [requireHttps, authenticate, authorize, allowAddress, boundBody];

export interface Admitted {
  readonly refusal: null;
  readonly route: Route;
  readonly holder: KeyHolder | null;
  readonly outgoing: Outgoing;
  /** Headers for the answer, such as `X-RateLimit-Remaining`. */
  readonly headers: readonly (readonly [string, string])[];
}

export interface Refused {
  readonly refusal: Refusal;
  readonly route: Route | null;
  readonly holder: KeyHolder | null;
  readonly headers: readonly (readonly [string, string])[];
}

export type Verdict = Admitted | Refused;

/** What a decision needs besides the exchange. */
export interface Rules {
  readonly configuration: CompiledConfiguration;
  readonly keys: { find(key: string): KeyHolder | null | Promise<KeyHolder | null> };
  readonly limiter: RateLimiter;
}

/** Decides over a call; waits only when a key is not in memory yet. */
export function decide(exchange: Exchange, rules: Rules): Verdict | Promise<Verdict> {
  const route = match(exchange, rules.configuration);
  if (route === undefined) return refused(new Refusal("NOT_FOUND"));
  const credential = readApiKey(exchange, rules.configuration.apiKeyMethods);
  const found = credential === null ? null : rules.keys.find(credential.key);
  return found instanceof Promise
    ? found.then((holder) => judge({ exchange, route, credential, holder }, rules))
    : judge({ exchange, route, credential, holder: found }, rules);
}

function judge(call: Call, rules: Rules): Verdict {
  const { route, holder } = call;
  for (const check of checks) {
    const refusal = check(call);
    if (refusal !== null) return refused(refusal, route, holder);
  }
  const limited = limit(call, rules.limiter, Date.now());
  if (limited.refusal !== null) return { ...limited, refusal: limited.refusal, route, holder };
  return { refusal: null, route, holder, outgoing: rewrite(call), headers: limited.headers };
}

/** The verdict on a call that must not go on. */
export function refused(
  refusal: Refusal,
  route: Route | null = null,
  holder: KeyHolder | null = null,
): Refused {
  return { refusal, route, holder, headers: [] };
}
