/** What is set in each section of a backend's form, in a few words. */
import { isSet } from "../fields/fields_form.ts";
import { setWords } from "../fields/state_words.ts";
import { counted, decapitalized } from "../fields/wording.ts";
import { type BackendForm, type SubUrlFields, usualPort } from "./backend_form.ts";
import { pastedUrl } from "./pasted_url.ts";
import { balancing } from "./routing_choices.ts";
import { healthCheckFields, tlsFields } from "./server_fields.ts";
import { hasValue, type Inherited, inheritedText } from "./settings/inherited.ts";
import type { SettingsForm } from "./settings/settings_form.ts";
import { settingFields, type SettingGroup, settingGroups } from "./settings/table.ts";

export function serversSummary(form: BackendForm): string {
  const { backend_protocol, servers } = form;
  const named = servers.filter(({ host }) => host.trim() !== "");
  const [first] = named;
  if (first === undefined) return "no server yet";
  const pasted = pastedUrl(first.host);
  const port = first.port.trim() || pasted?.port || usualPort(backend_protocol);
  const more = named.length === 1 ? "" : ` and ${named.length - 1} more`;
  const server = `${backend_protocol}://${pasted?.host ?? first.host.trim()}:${port}${more}`;
  return named.length === 1 ? server : `${server}, ${balancingWords(form)}`;
}

function balancingWords({ balance_algorithm }: BackendForm): string {
  if (balance_algorithm === "ip_hash") return "by source IP address";
  const choice = balancing.find(({ value }) => value === balance_algorithm);
  return decapitalized(choice?.label ?? balance_algorithm);
}

export function hostSummary({ frontend_host, backend_host }: BackendForm): string {
  const frontend = frontend_host.trim() || "*";
  return `${frontend === "*" ? "any host" : frontend} → ${backend_host.trim() || "the same"}`;
}

export function prefixesSummary({ url_matches }: BackendForm): string {
  const named = url_matches.filter(({ frontend_prefix }) => frontend_prefix.trim() !== "");
  const [first] = named;
  if (first === undefined) return "no prefix yet";
  const from = first.frontend_prefix.trim();
  const more = named.length === 1 ? "" : ` and ${named.length - 1} more`;
  return `${from} → ${first.backend_prefix.trim() || from}${more}`;
}

/** What is set in a section of settings, or what holds there while nothing is. */
export function settingsSummary(
  group: SettingGroup,
  settings: SettingsForm,
  inherited: Inherited,
): string {
  return joined(groupWords[group](settings, inherited)) || "as inherited";
}

type GroupWords = (settings: SettingsForm, inherited: Inherited) => readonly string[];

const own = (group: SettingGroup): GroupWords => (settings) =>
  setWords(settingGroups[group], settings);

const groupWords: Record<SettingGroup, GroupWords> = {
  access: (settings, inherited) => {
    const { disable_api_key: _, ...others } = settingGroups.access;
    const isOpen = hasValue(settings, inherited, "disable_api_key", "true");
    return [isOpen ? "key not required" : "key required", ...setWords(others, settings)];
  },
  cors: (settings, inherited) => {
    if (!hasValue(settings, inherited, "cors", "true")) return ["refused"];
    const { cors: _, cors_allowed_origins, ...others } = settingGroups.cors;
    const [origins] = setWords({ cors_allowed_origins }, settings);
    const from = origins ?? originWords(inherited);
    return [`allowed from ${from}`, ...setWords(others, settings)];
  },
  limits: (settings, inherited) => {
    const { rate_limit_mode: _, rate_limits: _rows, ...others } = settingGroups.limits;
    return [limitWords(settings, inherited), ...setWords(others, settings)];
  },
  request: own("request"),
  answer: own("answer"),
  cache: (settings, inherited) => {
    const isOff = hasValue(settings, inherited, "cache_mode", "off");
    if (isOff) return ["off"];
    const { cache_max_age_seconds } = settingGroups.cache;
    return ["on", ...setWords({ cache_max_age_seconds }, settings)];
  },
  advanced: own("advanced"),
};

function originWords(inherited: Inherited): string {
  const origins = inherited.cors_allowed_origins;
  const isAny = inheritedText(inherited, "cors_allowed_origins") ===
    settingFields.cors_allowed_origins.builtIn;
  return isAny ? "any origin" : counted(origins.length, "origin");
}

function limitWords(settings: SettingsForm, inherited: Inherited): string {
  const { rate_limit_mode, rate_limits } = settings;
  if (rate_limit_mode === "unlimited") return "unlimited";
  if (rate_limit_mode !== "custom") {
    return `inherited: ${inheritedText(inherited, "rate_limit_mode")}`;
  }
  return counted(rate_limits.length, "custom limit");
}

export function requestSummary({ settings, rewrites }: BackendForm, inherited: Inherited): string {
  const words = groupWords.request(settings, inherited);
  const rewritten = rewrites.length > 0 ? [counted(rewrites.length, "rewrite")] : [];
  return joined([...words, ...rewritten]) || "passed on as it is";
}

export function subUrlsSummary({ sub_settings }: BackendForm): string {
  return sub_settings.length === 0 ? "none" : counted(sub_settings.length, "sub-URL");
}

/** What is set for a sub-URL itself. */
export function subUrlSummary({ settings }: SubUrlFields): string {
  const { rate_limit_mode, rate_limits: _, ...others } = settingFields;
  const limits = settings.rate_limit_mode === "custom"
    ? [counted(settings.rate_limits.length, "custom limit")]
    : setWords({ rate_limit_mode }, settings);
  return joined([...limits, ...setWords(others, settings)]) || "as the backend";
}

export function tlsSummary({ backend_protocol, backend_tls }: BackendForm): string {
  if (backend_protocol !== "https") return "plain http";
  if (backend_tls.verify === tlsFields.verify.choices[1]?.value) return "not verified";
  const name = backend_tls.server_name.trim();
  return joined([
    "verified",
    ...(name === "" ? [] : [`as ${name}`]),
    ...(isSet(backend_tls.ca) ? ["own certificates trusted"] : []),
  ]);
}

export function healthCheckSummary({ health_check }: BackendForm): string {
  const path = health_check.path.trim();
  if (path === "") return healthCheckFields.path.builtIn;
  const interval = health_check.interval_seconds.trim() ||
    healthCheckFields.interval_seconds.builtIn;
  return `GET ${path} every ${interval} s`;
}

function joined(words: readonly string[]): string {
  return words.join(", ");
}
