/** Where the rule stands that a stage went by: whose setting it is, and what it says. */
import type { KeyHolder } from "../keys/key_holder.ts";
import type { SettingName } from "../records/settings.ts";
import type { Call } from "../stages/call.ts";
import type { Rule } from "./explanation.ts";

/** The rule of a setting of the backend's, from whichever layer has the word. */
export function settingRule(call: Call, setting: SettingName): Rule {
  const { layers } = call.settings;
  const source = layers.sourceOf(setting);
  const value = layers.nearest(setting)?.[setting] ?? null;
  return { setting, value, source, path: settingPath(call, source, setting) };
}

/** The rule of a field of the API user's record. */
export function userRule(call: Call, field: "enabled" | "expires_at" | "email_verified"): Rule {
  const { enabled, expiresAt, emailVerified } = call.holder ?? {};
  const values = {
    enabled: enabled ?? null,
    expires_at: expiresAt === undefined || expiresAt === Infinity
      ? null
      : new Date(expiresAt).toISOString(),
    email_verified: emailVerified ?? null,
  };
  return { setting: field, value: values[field], source: "user", path: field };
}

type UserSettingName = keyof KeyHolder["settings"];

/** The rule of a setting of the API user's. */
export function userSettingRule(call: Call, setting: UserSettingName): Rule {
  const value = call.holder?.settings[setting] ?? null;
  return { setting, value, source: "user", path: `settings.${setting}` };
}

/** A rule of the configuration file's own, such as `client.url_max_bytes`. */
export function serverRule(path: string, value: unknown): Rule {
  return { setting: path.split(".").at(-1) ?? path, value, source: "server", path };
}

/** Which of the backend's sub-URLs has the word; -1: none. */
export function subUrlIndex({ route, settings }: Pick<Call, "route" | "settings">): number {
  return route.backend.subUrls.findIndex((sub) => sub.settings === settings);
}

export function settingPath(
  call: Call,
  source: Rule["source"],
  setting: string,
): string | null {
  switch (source) {
    case "user":
    case "backend":
      return `settings.${setting}`;
    case "sub_url":
      return `sub_settings[${subUrlIndex(call)}].settings.${setting}`;
    case "default":
      return `default_api_backend_settings.${setting}`;
    case "server":
      return null;
  }
}
