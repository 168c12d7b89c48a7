/** The fields of an API user that are edited by their kind, once: what each is called and for. */
import { choice, lines, rows, text, yaml } from "../fields/field_kinds.ts";
import { settingFields } from "../backends/settings/table.ts";

/** Fields of the record itself. */
export const detailFields = {
  website: text({
    label: "Website",
    help: "The web site that the key is used for.",
    builtIn: "http://example.org",
    maxLength: 255,
  }),
  metadata: yaml({
    label: "Metadata",
    help: "Whatever else should be kept of this user, as YAML or JSON.",
    builtIn: "contract: 2026-17",
  }),
} as const;

/** In `settings`. */
export const originFields = {
  allowed_ips: lines({
    label: settingFields.allowed_ips.label,
    item: settingFields.allowed_ips.item,
    brief: settingFields.allowed_ips.brief,
    help: "Addresses or ranges such as 10.0.0.0/8 that the key may be used from; one a line.",
  }),
  allowed_referers: lines({
    label: settingFields.allowed_referers.label,
    item: settingFields.allowed_referers.item,
    brief: settingFields.allowed_referers.brief,
    help: "Pages that the key may be used from, such as https://*.example.org/*; one a line.",
    commas: false,
  }),
} as const;

/** In `settings`, and again for single backends. */
export const limitFields = {
  rate_limit_mode: choice(
    {
      label: settingFields.rate_limit_mode.label,
      help: "How often the key may be used.",
      builtIn: "",
    },
    ["unlimited", "Unlimited", "unlimited"],
    ["custom", "Custom limits", ""],
  ),
  rate_limits: rows({
    label: settingFields.rate_limits.label,
    help: "All of them hold at the same time, in place of any others.",
    kind: "limit",
    item: "Limit",
    onlyWhile: ["rate_limit_mode", "custom"],
  }),
  quotas: rows({
    label: settingFields.quotas.label,
    help: "Calls that may be made in a calendar day or month, in place of any other quotas.",
    kind: "quota",
    item: "Quota",
  }),
} as const;

export const userSettingFields = { ...originFields, ...limitFields } as const;

export type DetailFields = typeof detailFields;
export type LimitFields = typeof limitFields;
export type UserSettingFields = typeof userSettingFields;
