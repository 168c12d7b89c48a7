/** The settings of a backend or of a sub-URL, as the form holds them. */
import type { FieldTree } from "../../nested_fields.ts";
import { type FieldsForm, isSet, mapFields, readFields } from "../../fields/fields_form.ts";
import { type SettingFieldName, type SettingFields, settingFields } from "./table.ts";

export type SettingsForm = FieldsForm<SettingFields>;

/** Nothing is set: all of it is inherited. */
export const noSettings: SettingsForm = mapFields(
  settingFields,
  ({ control }) => control === "rows" ? [] : "",
);

export function readSettings(tree: FieldTree): SettingsForm {
  return readFields(settingFields, tree);
}

export function isSettingName(name: string): name is SettingFieldName {
  return Object.hasOwn(settingFields, name);
}

/** Whether all of it is inherited. */
export function isUnset(form: SettingsForm): boolean {
  return !Object.values(form).some(isSet);
}
