/**
 * What each check says of a call, in words for an admin: why it passed or did not, and
 * by which rule. Every check of the pipeline has its words here, and nowhere else.
 */
import { inRanges } from "../exchange/client.ts";
import { comesFrom } from "../exchange/referers.ts";
import type { Refusal } from "../refusal/refusals.ts";
import { type Call, Reply } from "../stages/call.ts";
import { settingsFor } from "../stages/match.ts";
import type { CheckName } from "../stages/pipeline.ts";
import type { Rule } from "./explanation.ts";
import { serverRule, settingPath, settingRule, userRule, userSettingRule } from "./rules.ts";

/** The reason for a decision, a sentence, and the rule behind it. */
export interface Told {
  readonly why: string;
  readonly rule: Rule | null;
}

interface StageWords {
  readonly title: string;
  readonly tell: (call: Call, decision: Refusal | Reply | null) => Told;
}

export const stageWords: Readonly<Record<CheckName, StageWords>> = {
  https_redirect: { title: "Redirect to HTTPS", tell: tellRedirect },
  preflight: { title: "CORS preflight", tell: tellPreflight },
  https: { title: "HTTPS", tell: tellHttps },
  authenticate: { title: "API key", tell: tellKey },
  https_transition: { title: "Transition to HTTPS", tell: tellTransition },
  authorize: { title: "Roles", tell: tellRoles },
  address: { title: "IP address", tell: tellAddress },
  referer: { title: "Referer", tell: tellReferer },
  body: { title: "Size of the body", tell: tellBody },
};

function tellRedirect(call: Call, decision: Refusal | Reply | null): Told {
  const { exchange, settings } = call;
  const rule = settingRule(call, "redirect_https");
  if (decision === null) {
    return exchange.scheme === "https"
      ? { why: "The call comes over HTTPS.", rule: null }
      : { why: "Calls over plain HTTP are not redirected here.", rule };
  }
  if (settings.layers.value("redirect_https") === true) {
    return { why: "Calls over plain HTTP are redirected to HTTPS.", rule };
  }
  return {
    why: "The server redirects plain HTTP calls with this path to HTTPS.",
    rule: serverRule("router.api_backend_required_https_regex_default", null),
  };
}

function tellPreflight(call: Call, decision: Refusal | Reply | null): Told {
  const { exchange } = call;
  const rule = settingRule(call, "cors");
  const origin = exchange.headers.get("origin") ?? "";
  if (decision instanceof Reply) {
    return { why: `A preflight from ${origin} is answered here, without a key.`, rule };
  }
  if (decision !== null) {
    return {
      why: `The origin ${origin} is not one that may call.`,
      rule: settingRule(call, "cors_allowed_origins"),
    };
  }
  const asked = exchange.headers.get("access-control-request-method");
  if (exchange.method !== "OPTIONS" || asked === null) {
    return { why: "The call is not a preflight.", rule: null };
  }
  return settingsFor(exchange, call.route, asked).cors === null
    ? { why: "CORS is off, so the preflight is treated like any call.", rule }
    : { why: "The call is not a complete preflight.", rule: null };
}

function tellHttps(call: Call, decision: Refusal | Reply | null): Told {
  const rule = settingRule(call, "require_https");
  if (decision !== null) {
    return { why: "The call comes over plain HTTP, and HTTPS is required.", rule };
  }
  return call.exchange.scheme === "https"
    ? { why: "The call comes over HTTPS.", rule: null }
    : { why: "Plain HTTP is taken.", rule };
}

function tellKey(call: Call, decision: Refusal | Reply | null): Told {
  const { credential, holder } = call;
  const rule = settingRule(call, "disable_api_key");
  if (credential === null) {
    return decision === null
      ? { why: "The call carries no key, and needs none.", rule }
      : { why: "The call carries no API key, and one is required.", rule };
  }
  if (holder === null) return { why: "Nobody holds the key that the call carries.", rule: null };
  const { email } = holder;
  if (decision instanceof Reply || decision === null) {
    return { why: `The key is that of ${email}, and good.`, rule: null };
  }
  switch (decision.code) {
    case "API_KEY_DISABLED":
      return { why: `The key of ${email} is disabled.`, rule: userRule(call, "enabled") };
    case "API_KEY_EXPIRED":
      return { why: `The key of ${email} has expired.`, rule: userRule(call, "expires_at") };
    default:
      return {
        why: `The address ${email} is not verified, and verified addresses are required.`,
        rule: settingRule(call, "api_key_verification_level"),
      };
  }
}

function tellTransition(call: Call, decision: Refusal | Reply | null): Told {
  const { exchange, settings, holder } = call;
  if (settings.httpsTransitionStart === null) {
    return { why: "There is no transition to HTTPS.", rule: null };
  }
  const rule = settingRule(call, "require_https");
  if (exchange.scheme === "https") return { why: "The call comes over HTTPS.", rule: null };
  if (decision === null) {
    return { why: "The key is from before the transition to HTTPS began.", rule };
  }
  return {
    why: holder === null
      ? "The call comes over plain HTTP without a key; only older keys may."
      : "The call comes over plain HTTP, with a key from after the transition to HTTPS began.",
    rule,
  };
}

function tellRoles(call: Call): Told {
  const { settings: { requiredRoles }, holder } = call;
  if (requiredRoles.length === 0) return { why: "No role is required.", rule: null };
  const missing = requiredRoles.filter((role) => holder === null || !holder.roles.has(role));
  const rule = rolesRule(call, missing);
  if (missing.length === 0) {
    return { why: `The key has ${roleWords(requiredRoles)}, as required.`, rule };
  }
  const who = holder === null
    ? "A call without a good key has no roles, and lacks"
    : "The key lacks";
  const verb = missing.length === 1 ? "is" : "are";
  return { why: `${who} ${roleWords(missing)}, which ${verb} required.`, rule };
}

/** Roles add up over the layers: the one to blame is the one that asks for a missing role. */
function rolesRule(call: Call, missing: readonly string[]): Rule {
  const setting = "required_roles";
  const { layers } = call.settings;
  const [first] = missing;
  const own = layers.sub?.required_roles ?? [];
  if (layers.sub === null || first === undefined || own.includes(first)) {
    return settingRule(call, setting);
  }
  const source = (layers.backend.required_roles ?? []).length > 0 ? "backend" : "default";
  const value = source === "backend"
    ? layers.backend.required_roles
    : layers.defaults.required_roles;
  return { setting, value, source, path: settingPath(call, source, setting) };
}

function roleWords(roles: readonly string[]): string {
  const quoted = roles.map((role) => `“${role}”`);
  const last = quoted.pop() ?? "";
  return quoted.length === 0 ? `the role ${last}` : `the roles ${quoted.join(", ")} and ${last}`;
}

function tellAddress(call: Call): Told {
  const { exchange: { address }, settings, holder } = call;
  const lists = [
    { ranges: settings.allowedAddresses, rule: settingRule(call, "allowed_ips"), of: "here" },
    {
      ranges: holder?.allowedAddresses ?? [],
      rule: userSettingRule(call, "allowed_ips"),
      of: "for this key",
    },
  ].filter(({ ranges }) => ranges.length > 0);
  const [first] = lists;
  if (first === undefined) return { why: "Any address may call.", rule: null };
  const against = lists.find(({ ranges }) => !inRanges(address, ranges));
  return against === undefined
    ? { why: `${address} is among the allowed addresses.`, rule: first.rule }
    : { why: `${address} is not among the addresses allowed ${against.of}.`, rule: against.rule };
}

function tellReferer(call: Call): Told {
  const { exchange: { headers }, settings, holder } = call;
  const lists = [
    { pages: settings.allowedReferers, rule: settingRule(call, "allowed_referers"), of: "here" },
    {
      pages: holder?.allowedReferers ?? [],
      rule: userSettingRule(call, "allowed_referers"),
      of: "for this key",
    },
  ].filter(({ pages }) => pages.length > 0);
  const [first] = lists;
  if (first === undefined) return { why: "Calls may come from any page.", rule: null };
  const against = lists.find(({ pages }) => !comesFrom(headers, pages));
  if (against === undefined) {
    return { why: "The call comes from an allowed page.", rule: first.rule };
  }
  const page = headers.get("referer") ?? headers.get("origin");
  return {
    why: page === null
      ? `The call names no page (Referer or Origin), and only some are allowed ${against.of}.`
      : `The page ${page} is not among those allowed ${against.of}.`,
    rule: against.rule,
  };
}

function tellBody(call: Call, decision: Refusal | Reply | null): Told {
  const { exchange: { bodyLength }, settings: { clientBounds: { body: { maxBytes } } } } = call;
  const rule = settingRule(call, "body_max_bytes");
  if (decision !== null) {
    return {
      why: `The call announces a body of ${bytes(bodyLength ?? 0)}, and ${bytes(maxBytes)} is ` +
        "the most.",
      rule,
    };
  }
  if (maxBytes === Infinity) return { why: "A body may be of any size.", rule: null };
  return { why: `At most ${bytes(maxBytes)} of body are taken.`, rule };
}

function bytes(count: number): string {
  return `${count.toLocaleString("en")} bytes`;
}
