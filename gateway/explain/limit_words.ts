/** How a call stands against its limits, in words for an admin. */
import type { Refusal } from "../refusal/refusals.ts";
import { waitWords } from "../refusal/wait_words.ts";
import type { Call } from "../stages/call.ts";
import type { LimitSource, LimitState, LimitStates } from "../stages/look_at_limits.ts";
import type { Rule } from "./explanation.ts";
import type { Judgement } from "./judgement.ts";
import { settingPath } from "./rules.ts";

export function judgeLimits(call: Call, refusal: Refusal | null, limits: LimitStates): Judgement {
  const about = { name: "limits", title: "Rate limits and quotas", decision: refusal };
  const exceeded = exceededLimit(limits.states);
  if (refusal !== null && exceeded !== undefined) {
    return {
      ...about,
      why: `${exceeded.used.toLocaleString("en")} calls count against the limit of ` +
        `${exceeded.words}. There are more ${waitWords(exceeded.seconds_until_more)}.`,
      rule: limitRule(call, exceeded.kind, limits),
    };
  }
  const tightest = limits.states.toSorted((a, b) => a.remaining - b.remaining)[0];
  return {
    ...about,
    why: tightest === undefined
      ? "No limit holds."
      : `Calls are left in every limit; the fewest, ${tightest.remaining.toLocaleString("en")}, ` +
        `of ${tightest.words}.`,
    rule: tightest === undefined
      ? modeRule(call, limits.rateLimitsFrom)
      : limitRule(call, tightest.kind, limits),
  };
}

/** The limit that a refused caller is told of: the first, or of the quotas the last to end. */
function exceededLimit(states: readonly LimitState[]): LimitState | undefined {
  const over = states.filter(({ refuses }) => refuses);
  return over.find(({ kind }) => kind === "rate_limit") ??
    over.toSorted((a, b) => b.seconds_until_more - a.seconds_until_more)[0];
}

function limitRule(call: Call, kind: LimitState["kind"], limits: LimitStates): Rule {
  const setting = kind === "quota" ? "quotas" : "rate_limits";
  const from = kind === "quota" ? limits.quotasFrom : limits.rateLimitsFrom;
  const value = limits.states.filter((state) => state.kind === kind).map(({ words }) => words);
  return {
    setting,
    value,
    source: from === "user_for_backend" ? "user" : from,
    path: limitPath(call, from, setting),
  };
}

/** Where no limit holds, that is by a word of its own. */
function modeRule(call: Call, from: LimitSource): Rule {
  const setting = "rate_limit_mode";
  const own = from === "user_for_backend"
    ? ownBackendLimits(call)?.rate_limit_mode
    : from === "user"
    ? call.holder?.settings.rate_limit_mode
    : call.settings.layers.value(setting);
  return {
    setting,
    value: own ?? null,
    source: from === "user_for_backend" ? "user" : from,
    path: limitPath(call, from, setting),
  };
}

function ownBackendLimits({ holder, route }: Call) {
  return holder?.settings.backend_limits
    ?.find(({ backend_id }) => backend_id === route.backend.id);
}

function limitPath(call: Call, from: LimitSource, setting: string): string | null {
  if (from !== "user_for_backend") return settingPath(call, from, setting);
  const limits = call.holder?.settings.backend_limits ?? [];
  const index = limits.findIndex(({ backend_id }) => backend_id === call.route.backend.id);
  return `settings.backend_limits[${index}].${setting}`;
}
