/**
 * What holds where a field is left empty, in words: for a backend what the server
 * goes by, for a sub-URL what its backend has or inherits itself.
 */
import type { Field } from "../../fields/field_kinds.ts";
import { isSet } from "../../fields/fields_form.ts";
import { choiceWords, stateWords } from "../../fields/state_words.ts";
import { counted } from "../../fields/wording.ts";
import type { SettingsForm } from "./settings_form.ts";
import { type SettingFieldName, settingFields } from "./table.ts";

/** By setting, item by item; a setting with one value has one. */
export type Inherited = Readonly<Record<SettingFieldName, readonly string[]>>;

/** What holds below `settings`, where `above` holds above them. */
export function inheritedBelow(
  settings: SettingsForm,
  above: Readonly<Record<string, readonly string[]>>,
): Inherited {
  const words = Object.entries(settingFields).map(([name, field]: [string, Field]) => {
    const state = settings[name as SettingFieldName]; // a name of the table
    const own = isSet(state) ? stateWords(field, state) : [];
    return [name, own.length > 0 ? own : above[name] ?? [field.builtIn]] as const;
  });
  return { ...Object.fromEntries(words) as Inherited, ...limitWords(settings, above) };
}

/** The limits hold that come with the nearest mode, and the mode is told by them. */
function limitWords(
  settings: SettingsForm,
  above: Readonly<Record<string, readonly string[]>>,
): Pick<Inherited, "rate_limit_mode" | "rate_limits"> {
  const { rate_limit_mode = ["unlimited"], rate_limits = [] } = above;
  if (settings.rate_limit_mode === "") return { rate_limit_mode, rate_limits };
  const isCustom = settings.rate_limit_mode === "custom";
  const limits = isCustom ? stateWords(settingFields.rate_limits, settings.rate_limits) : [];
  return {
    rate_limit_mode: [isCustom ? counted(limits.length, "limit") : "unlimited"],
    rate_limits: limits,
  };
}

/** In one line: `staff, partner`. */
export function inheritedText(inherited: Inherited, name: SettingFieldName): string {
  return inherited[name].join(", ");
}

/** Whether a field has a value, by itself or by what it inherits. */
export function hasValue(
  settings: SettingsForm,
  inherited: Inherited,
  name: SettingFieldName,
  value: string,
): boolean {
  const own = settings[name];
  if (isSet(own)) return own === value;
  return inheritedText(inherited, name) === choiceWords(settingFields[name], value);
}
