/** What is decided of a request before it is looked at as a call to an API backend. */
import type { CompiledConfiguration } from "../compile/configuration.ts";
import type { Route } from "../compile/routes.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Refusal } from "../refusal/refusals.ts";
import { isOwnPage } from "../serve/own_paths.ts";
import type { Call } from "../stages/call.ts";
import type { Answered, Refused } from "../stages/pipeline.ts";
import { type Judgement, OWN_PAGE } from "./judgement.ts";
import { serverRule, subUrlIndex } from "./rules.ts";

export function judgeBan(exchange: Exchange, { bans }: CompiledConfiguration): Judgement {
  const isBanned = bans !== null && bans.holdFor(exchange);
  return {
    name: "ban",
    title: "Bans",
    decision: isBanned ? new Refusal("BANNED", bans.answer.message) : null,
    why: isBanned ? "The address or the user agent is banned." : "Nobody like this is banned.",
    rule: isBanned ? serverRule("ban", null) : null,
  };
}

export function judgeRequest(refusal: Refusal | null): Judgement {
  const limit = refusal === null ? undefined : bounds[refusal.code];
  return {
    name: "request",
    title: "Request",
    decision: refusal,
    why: refusal === null ? "The request can be understood." : refusal.reason,
    rule: limit === undefined ? null : serverRule(limit, null),
  };
}

/** The settings of the configuration file that bound a request's head. */
const bounds: Partial<Record<Refusal["code"], string>> = {
  URI_TOO_LONG: "client.url_max_bytes",
  REQUEST_HEADER_FIELDS_TOO_LARGE: "client.headers_max_bytes",
};

export function judgeOwnPage(exchange: Exchange, configuration: CompiledConfiguration): Judgement {
  const { path } = exchange;
  const isOwn = isOwnPage(exchange, configuration);
  return {
    name: "own_page",
    title: "Portico's own pages",
    decision: isOwn ? OWN_PAGE : null,
    why: isOwn
      ? `${path} is Portico's own: no API backend can be there.`
      : "It is none of Portico's own pages.",
    rule: null,
  };
}

/** There only where it is configured; how fast calls come is not known of one that is made up. */
export function judgeAddressRate({ addressRate }: CompiledConfiguration): Judgement[] {
  if (addressRate === null) return [];
  return [{
    name: "address_rate",
    title: "Calls of one address",
    decision: undefined,
    why: "Whether calls of the address come too fast shows only when they come.",
    rule: serverRule("router.global_rate_limits", null),
  }];
}

const aboutMatch = { name: "match", title: "API backend", rule: null };

/** `verdict` is that on a call that no backend or website is for. */
export function judgeNoMatch(
  { host, path }: Exchange,
  verdict: Refused | Answered,
): Judgement {
  const why =
    `No API backend has the host ${host} and a prefix of ${path}, and there is no website`;
  return verdict.kind === "refuse"
    ? { ...aboutMatch, decision: verdict.refusal, why: `${why}.` }
    : {
      ...aboutMatch,
      decision: verdict.reply,
      why: `${why}; over HTTPS there may be, so the call is redirected.`,
      rule: serverRule("router.redirect_not_found_to_https", true),
    };
}

export function judgeMatch(call: Call): Judgement {
  const index = subUrlIndex(call);
  const of = index === -1 ? "" : `, and sub-URL ${index + 1} of it`;
  return { ...aboutMatch, decision: null, why: `${matchWords(call.route)}${of}.` };
}

function matchWords({ backend, frontendPrefix }: Route): string {
  return backend.isWebsite
    ? `The path is no API's, and goes to the website ${backend.name}`
    : `The prefix ${frontendPrefix} is that of the API backend ${backend.name}`;
}
