/** The lists of an API user's form: adding and removing their rows, with script or without. */
import {
  addRow,
  readAction,
  rearranged,
  type RowAction,
  withRowOf,
} from "../backends/form_rows.ts";
import { rowKind } from "../fields/row_kinds.ts";
import { BACKEND_LIMITS, blankBackendLimits, type UserForm } from "./user_form.ts";
import { limitFields, userSettingFields } from "./user_table.ts";

/** The form after what `_action` asks for; null when it is no such request. */
export function withUserRowAction(form: UserForm, action: string): UserForm | null {
  const read = readAction(action);
  if (read === null) return null;
  const { list } = read;
  if (list === "roles") return { ...form, roles: edited(form.roles, "", read) };
  if (list === BACKEND_LIMITS) {
    return { ...form, backend_limits: edited(form.backend_limits, blankBackendLimits, read) };
  }
  const { index, name } = placeOf(list);
  if (index === null) {
    const settings = withRowOf(userSettingFields, form.settings, name, read);
    return settings === null ? null : { ...form, settings };
  }
  const row = form.backend_limits[index];
  const limits = row && withRowOf(limitFields, row.limits, name, read);
  if (row === undefined || limits === null || limits === undefined) return null;
  return { ...form, backend_limits: form.backend_limits.with(index, { ...row, limits }) };
}

function edited<Row>(rows: readonly Row[], blank: Row, action: RowAction): readonly Row[] {
  return action.verb === "add" ? [...rows, blank] : rearranged(rows, action);
}

/** `settings.quotas`, or `settings.backend_limits[0].quotas`; the name is empty for neither. */
function placeOf(list: string): { readonly index: number | null; readonly name: string } {
  const [, index, name = ""] = /^settings\.(?:backend_limits\[(\d+)\]\.)?(\w+)$/.exec(list) ?? [];
  return { index: index === undefined ? null : Number(index), name };
}

/** Custom limits begin with one to fill in. */
export function withFirstLimits(form: UserForm): UserForm {
  const places = [
    { path: "settings", limits: form.settings },
    ...form.backend_limits.map(({ limits }, index) => (
      { path: `${BACKEND_LIMITS}[${index}]`, limits }
    )),
  ].filter(({ limits }) => limits.rate_limit_mode === "custom" && limits.rate_limits.length === 0);
  return places.reduce(
    (at, { path }) => withUserRowAction(at, addRow(`${path}.rate_limits`)) ?? at,
    form,
  );
}

/** Where to go on after `_action`: in the first field of a new row, else at the list itself. */
export function placeAfter(form: UserForm, action: string): string {
  const { verb, list } = readAction(action) ?? { verb: "remove", list: "" };
  if (verb !== "add") return list;
  if (list === "roles") return `roles[${form.roles.length - 1}]`;
  if (list === BACKEND_LIMITS) return `${list}[${form.backend_limits.length - 1}].backend_id`;
  const { index, name } = placeOf(list);
  const limits = index === null ? form.settings : form.backend_limits[index]?.limits;
  if (limits === undefined || (name !== "rate_limits" && name !== "quotas")) return list;
  const [column = ""] = Object.keys(rowKind(limitFields[name].kind).columns);
  return `${list}[${limits[name].length - 1}].${column}`;
}
