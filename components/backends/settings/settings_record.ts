/** Between the settings of the form and those of the record. Of the server alone. */
import type { StoredSettings } from "@/gateway/compile/layers.ts";
import { fieldsForm, fieldsInput } from "../../fields/fields_record.ts";
import type { SettingsForm } from "./settings_form.ts";
import { settingFields } from "./table.ts";

export function settingsForm(settings: StoredSettings): SettingsForm {
  return fieldsForm(settingFields, settings);
}

/** Settings of a backend: what a sub-URL alone has is left out. */
export function backendSettingsInput(form: SettingsForm): Record<string, unknown> {
  const own = Object.entries(subSettingsInput(form));
  const isOwn = (name: string) =>
    !Object.entries(settingFields).some(([field, { subUrlOnly }]) => field === name && subUrlOnly);
  return Object.fromEntries(own.filter(([name]) => isOwn(name)));
}

/** Settings of a sub-URL. What is not set is left out: a record has only so much room. */
export function subSettingsInput(form: SettingsForm): Record<string, unknown> {
  const input = fieldsInput(settingFields, form);
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}
