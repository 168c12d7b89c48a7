/**
 * The decision over one call, top to bottom:
 *
 *   match → authenticate → authorize → limit → rewrite
 *
 * followed by forward → respond → record, the I/O at the end (`gateway/serve/`).
 * Everything here is a pure function of the exchange, the compiled configuration
 * and who the key belongs to; only the rate limiter remembers.
 */
import type { CompiledConfiguration } from "../compile/configuration.ts";
import type { Route } from "../compile/routes.ts";
import type { CompiledSettings } from "../compile/settings.ts";
import { type Credential, readApiKey } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { KeyHolder } from "../keys/key_holder.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import { Refusal } from "../refusal/refusals.ts";
import { type Call, Reply, type Stage } from "./call.ts";
import {
  allowAddress,
  allowReferer,
  authenticate,
  authorize,
  boundBody,
  redirectToHttps,
  requireHttps,
  requireHttpsInTransition,
} from "./checks.ts";
import { answerPreflight } from "./cors.ts";
import { limit } from "./limit.ts";
import { limitAddress } from "./limit_address.ts";
import { match } from "./match.ts";
import { type Outgoing, rewrite } from "./rewrite.ts";

/**
 * The checks that a matched call must pass, in API Umbrella's order (§2.1); the first
 * decision ends it.
 */
export const checks = [
  { name: "https_redirect", decide: redirectToHttps },
  { name: "preflight", decide: answerPreflight },
  { name: "https", decide: requireHttps },
  { name: "authenticate", decide: authenticate },
  { name: "https_transition", decide: requireHttpsInTransition },
  { name: "authorize", decide: authorize },
  { name: "address", decide: allowAddress },
  { name: "referer", decide: allowReferer },
  { name: "body", decide: boundBody },
] as const satisfies readonly Stage[];

export type CheckName = (typeof checks)[number]["name"];

interface Judged {
  readonly route: Route;
  readonly settings: CompiledSettings;
  readonly holder: KeyHolder | null;
  /** For the answer, whoever gives it, such as `X-RateLimit-Remaining`. */
  readonly headers: HeaderFields;
}

/** The call goes on to the backend. */
export interface Admitted extends Judged {
  readonly kind: "forward";
  readonly outgoing: Outgoing;
}

interface Ended extends Omit<Judged, "route" | "settings"> {
  /** These two are null for a call that is for no backend. */
  readonly route: Route | null;
  readonly settings: CompiledSettings | null;
}

/** The call is answered here, and well. */
export interface Answered extends Ended {
  readonly kind: "reply";
  readonly reply: Reply;
}

export interface Refused extends Ended {
  readonly kind: "refuse";
  readonly refusal: Refusal;
}

export type Verdict = Admitted | Answered | Refused;

/** What a decision needs besides the exchange. */
export interface Rules {
  readonly configuration: CompiledConfiguration;
  readonly keys: { find(key: string): KeyHolder | null | Promise<KeyHolder | null> };
  readonly limiter: RateLimiter;
}

/** Decides over a call; waits only when a key is not in memory yet. */
export function decide(exchange: Exchange, rules: Rules): Verdict | Promise<Verdict> {
  const { addressRate } = rules.configuration;
  const flood = addressRate === null
    ? null
    : limitAddress(exchange, addressRate, rules.limiter, Date.now());
  if (flood !== null) return refused(flood);
  const matched = match(exchange, rules.configuration);
  if (matched === undefined) return notFound(exchange, rules.configuration);
  const credential = credentialFor(exchange, matched.route, rules.configuration);
  const found = credential === null ? null : rules.keys.find(credential.key);
  return found instanceof Promise
    ? found.then((holder) => judge({ exchange, ...matched, credential, holder }, rules))
    : judge({ exchange, ...matched, credential, holder: found }, rules);
}

/** The key that a call brings; a website is none of those who are asked for one. */
export function credentialFor(
  exchange: Exchange,
  { backend }: Route,
  { apiKeyMethods }: CompiledConfiguration,
): Credential | null {
  return backend.isWebsite ? null : readApiKey(exchange, apiKeyMethods);
}

function judge(call: Call, rules: Rules): Verdict {
  const { route, settings, holder } = call;
  const now = Date.now();
  for (const { decide } of checks) {
    const decision = decide(call, now);
    if (decision !== null) return ended(decision, call, []);
  }
  const { refusal, headers } = limit(call, rules.limiter, now);
  if (refusal !== null) return ended(refusal, call, headers);
  const outgoing = rewrite(call);
  return outgoing instanceof Refusal
    ? ended(outgoing, call, headers)
    : { kind: "forward", route, settings, holder, outgoing, headers };
}

/** The verdict on a call that is for nobody: over HTTPS it may be for somebody. */
export function notFound(
  exchange: Exchange,
  { notFoundRedirect }: CompiledConfiguration,
): Refused | Answered {
  const location = notFoundRedirect?.(exchange) ?? null;
  return location === null
    ? refused(new Refusal("NOT_FOUND"))
    : ended(new Reply(301, [["location", location]]), nobody, []);
}

const nobody = { route: null, settings: null, holder: null };

/** The verdict on a call that does not go on. */
function ended(
  decision: Refusal | Reply,
  { route, settings, holder }: Pick<Ended, "route" | "settings" | "holder">,
  headers: HeaderFields,
): Refused | Answered {
  return decision instanceof Refusal
    ? { kind: "refuse", refusal: decision, route, settings, holder, headers }
    : { kind: "reply", reply: decision, route, settings, holder, headers };
}

/** The verdict on a call that is for no backend, or that something went wrong with. */
export function refused(refusal: Refusal): Refused {
  return { kind: "refuse", refusal, ...nobody, headers: [] };
}
