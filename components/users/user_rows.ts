/** The lists of an API user's form: roles, limits and quotas, and backends with limits of their own. */
import { type FieldsForm, isSet, withoutBlankRows as filledRows } from "../fields/fields_form.ts";
import type { FormEdits } from "../fields/form_edits.ts";
import {
  placeAfterAction,
  placeInTable,
  readAction,
  type RowAction,
  rowsAfter,
  withFirstRows as begun,
  withRowOf,
} from "../fields/row_actions.ts";
import { BACKEND_LIMITS, blankBackendLimits, readUserForm, type UserForm } from "./user_form.ts";
import { type LimitFields, limitFields, userSettingFields } from "./user_table.ts";

export const userEdits: FormEdits<UserForm> = {
  read: readUserForm,
  withRowAction,
  placeAfter,
  withFirstRows,
  withoutBlankRows,
  identity: (form) => JSON.stringify(form),
};

function withRowAction(form: UserForm, action: string): UserForm | null {
  const read = readAction(action);
  if (read === null) return null;
  switch (read.list) {
    case "roles":
      return { ...form, roles: rowsAfter(form.roles, "", read) };
    case BACKEND_LIMITS:
      return { ...form, backend_limits: rowsAfter(form.backend_limits, blankBackendLimits, read) };
    default:
      return withLimitsRow(form, read);
  }
}

function withLimitsRow(form: UserForm, action: RowAction): UserForm | null {
  const { index, name } = limitsPlace(action.list);
  if (index === null) {
    const settings = withRowOf(userSettingFields, form.settings, name, action);
    return settings === null ? null : { ...form, settings };
  }
  const row = form.backend_limits[index];
  const limits = row && withRowOf(limitFields, row.limits, name, action);
  if (row === undefined || limits === null || limits === undefined) return null;
  return { ...form, backend_limits: form.backend_limits.with(index, { ...row, limits }) };
}

interface LimitsPlace {
  /** Which backend's they are; null: the user's own. */
  readonly index: number | null;
  /** Empty for what is none of them. */
  readonly name: string;
}

/** `settings.quotas`, or `settings.backend_limits[0].quotas`. */
function limitsPlace(list: string): LimitsPlace {
  const [, index, name = ""] = /^settings\.(?:backend_limits\[(\d+)\]\.)?(\w+)$/.exec(list) ?? [];
  return { index: index === undefined ? null : Number(index), name };
}

function withFirstRows(form: UserForm): UserForm {
  return {
    ...form,
    settings: begun(userSettingFields, form.settings),
    backend_limits: form.backend_limits.map((row) => ({
      ...row,
      limits: begun(limitFields, row.limits),
    })),
  };
}

function withoutBlankRows(form: UserForm): UserForm {
  return {
    ...form,
    roles: form.roles.filter(isSet),
    settings: filledRows(userSettingFields, form.settings),
    backend_limits: form.backend_limits
      .map((row) => ({ ...row, limits: filledRows(limitFields, row.limits) }))
      .filter(({ backend_id, limits }) =>
        backend_id !== "" ||
        Object.values<FieldsForm<LimitFields>[keyof LimitFields]>(limits).some(isSet)
      ),
  };
}

function placeAfter(form: UserForm, action: string): string {
  const read = readAction(action);
  if (read === null) return "";
  const { list } = read;
  if (list === "roles") return placeAfterAction(read, form.roles.length, null);
  if (list === BACKEND_LIMITS) {
    return placeAfterAction(read, form.backend_limits.length, "backend_id");
  }
  const { index, name } = limitsPlace(list);
  const limits = index === null ? form.settings : form.backend_limits[index]?.limits;
  return limits === undefined ? list : placeInTable(userSettingFields, limits, name, read);
}
