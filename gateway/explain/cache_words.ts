/** Whether the cache may answer a call that goes on, or keep its answer, in words for an admin. */
import { readConditions } from "../cache/request.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Call } from "../stages/call.ts";
import type { Outgoing } from "../stages/rewrite.ts";
import type { Judgement } from "./judgement.ts";
import { serverRule, settingRule } from "./rules.ts";
import type { Told } from "./stage_words.ts";

/** It never refuses a call: one whose answer is not there goes to the backend. */
export function judgeCaching(
  call: Call,
  outgoing: Outgoing,
  { cache }: Pick<Configuration, "cache">,
): Judgement {
  const told = cache.memory_max_bytes > 0
    ? tellCaching(call, outgoing)
    : { why: "The server keeps no answers.", rule: serverRule("cache.memory_max_bytes", 0) };
  return { name: "cache", title: "Cache", decision: null, ...told };
}

function tellCaching(call: Call, { method, headers }: Outgoing): Told {
  const { settings: { caching, layers }, exchange } = call;
  if (caching === null) {
    return layers.value("cache_mode") === "off"
      ? { why: "The cache is off here.", rule: settingRule(call, "cache_mode") }
      : {
        why: "The backend is given what one caller alone has, so each answer is its caller's own.",
        rule: null,
      };
  }
  if ((method !== "GET" && method !== "HEAD") || exchange.asksForWebSocket) {
    return { why: "Only answers to GET and HEAD are kept.", rule: null };
  }
  if (readConditions(headers, () => exchange.headers.get("authorization")) === null) {
    return {
      why: "The call has credentials, cookies or preconditions, so its answer is its caller's own.",
      rule: null,
    };
  }
  const { defaultLifetime } = caching;
  const otherwise = defaultLifetime === null
    ? "for as long as the backend says they are fresh"
    : `for as long as the backend says, or ${defaultLifetime.toLocaleString("en")} seconds where ` +
      "it says nothing";
  return {
    why: `Answers are kept and given to later calls, ${otherwise}.`,
    rule: settingRule(call, defaultLifetime === null ? "cache_mode" : "cache_max_age_seconds"),
  };
}
