/**
 * The lists of a backend's form: adding, removing and moving their rows, opening and
 * closing sub-URLs. The buttons that ask for it send the whole form with `_action`;
 * the browser does the same to the form it shows, where script runs.
 */
import type { FieldTable } from "../fields/field_kinds.ts";
import { isWithin } from "../fields/field_path.ts";
import { type FieldsForm, rowsOf } from "../fields/fields_form.ts";
import { type RowFields, rowKind } from "../fields/row_kinds.ts";
import { fieldSteps } from "../nested_fields.ts";
import { type BackendForm, blankRows } from "./backend_form.ts";
import { isSettingName, type SettingsForm } from "./settings/settings_form.ts";
import { settingFields } from "./settings/table.ts";

/** What is done to a row; `add` is done to its list. */
export type RowVerb = "remove" | "up" | "down" | "open" | "close";

/** The value of the button that adds a row to the list at a path. */
export function addRow(list: string): string {
  return `add:${list}`;
}

/** The value of the button that does something to the row at a path: `servers[1]`. */
export function onRow(verb: RowVerb, row: string): string {
  return `${verb}:${row}`;
}

export interface RowAction {
  readonly verb: RowVerb | "add";
  /** The list's path: `sub_settings[0].settings.headers`. */
  readonly list: string;
  /** The row's place; that of a new one is behind the last. */
  readonly index: number;
}

/** What a button's value asks for; null when it is no such value. */
export function readAction(action: string): RowAction | null {
  const [, verb, list, index] =
    /^(add|remove|up|down|open|close):([\w.]+(?:\[\d{1,9}\]\.[\w.]+)?)(?:\[(\d{1,9})\])?$/
      .exec(action) ?? [];
  if (verb === undefined || list === undefined || (verb === "add") !== (index === undefined)) {
    return null;
  }
  return { verb: verb as RowAction["verb"], list, index: Number(index ?? -1) }; // as matched
}

/** The form after what `_action` asks for; null when it is no such request. */
export function withRowAction(form: BackendForm, action: string): BackendForm | null {
  const read = readAction(action);
  if (read === null) return null;
  const { list } = read;
  if (list === "servers") return { ...form, servers: edited(form.servers, list, read) };
  if (list === "url_matches") return { ...form, url_matches: edited(form.url_matches, list, read) };
  if (list === "rewrites") return { ...form, rewrites: edited(form.rewrites, list, read) };
  if (list === "sub_settings") {
    const rows = form.sub_settings.map((row, index) =>
      index === read.index ? { ...row, open: openAfter(read.verb, row.open) } : row
    );
    return { ...form, sub_settings: edited(rows, list, read) };
  }
  return withSettingsRow(form, read);
}

function openAfter(verb: RowAction["verb"], open: string): string {
  if (verb === "open") return "true";
  return verb === "close" ? "" : open;
}

function edited<List extends keyof typeof blankRows, Row>(
  rows: readonly Row[],
  list: List,
  action: RowAction,
): readonly (Row | (typeof blankRows)[List])[] {
  return action.verb === "add" ? [...rows, blankRows[list]] : rearranged(rows, action);
}

/** The rows after one was removed or moved. */
export function rearranged<Row>(rows: readonly Row[], { verb, index }: RowAction): readonly Row[] {
  if (verb === "remove") return rows.toSpliced(index, 1);
  const other = index + (verb === "up" ? -1 : 1);
  const [row, neighbour] = [rows[index], rows[other]];
  if ((verb !== "up" && verb !== "down") || row === undefined || neighbour === undefined) {
    return rows;
  }
  return rows.with(index, neighbour).with(other, row);
}

/** `settings.headers`, or `sub_settings[0].settings.headers`. */
function withSettingsRow(form: BackendForm, action: RowAction): BackendForm | null {
  const steps = fieldSteps(action.list) ?? [];
  const name = String(steps.at(-1));
  const edit = (settings: SettingsForm) => withRowOf(settingFields, settings, name, action);
  if (steps.length === 2 && steps[0] === "settings") {
    const settings = edit(form.settings);
    return settings === null ? null : { ...form, settings };
  }
  const index = Number(steps[1]);
  const row = steps[0] === "sub_settings" && steps[2] === "settings" && steps.length === 4
    ? form.sub_settings[index]
    : undefined;
  const settings = row === undefined ? null : edit(row.settings);
  if (row === undefined || settings === null) return null;
  return { ...form, sub_settings: form.sub_settings.with(index, { ...row, settings }) };
}

/** The fields of a table with the rows of one of them changed; null when it has none. */
export function withRowOf<Table extends FieldTable>(
  table: Table,
  form: FieldsForm<Table>,
  name: string,
  action: RowAction,
): FieldsForm<Table> | null {
  const field = Object.hasOwn(table, name) ? table[name] : undefined;
  if (field?.control !== "rows") return null;
  const rows = rowsOf(form[name]);
  const { first, blank } = rowKind(field.kind);
  const added: readonly RowFields[] = action.verb === "add"
    ? [...rows, rows.length === 0 ? first : blank]
    : rearranged(rows, action);
  // Limits mean nothing in another mode, and who adds one wants it to count.
  const mode = name === "rate_limits" && action.verb === "add" ? { rate_limit_mode: "custom" } : {};
  return { ...form, ...mode, [name]: added };
}

/** Custom limits begin with one to fill in. */
export function withFirstLimits(form: BackendForm): BackendForm {
  const begun = (settings: SettingsForm, path: string) =>
    settings.rate_limit_mode === "custom" && settings.rate_limits.length === 0
      ? [addRow(`${path}.rate_limits`)]
      : [];
  const actions = [
    ...begun(form.settings, "settings"),
    ...form.sub_settings.flatMap((row, index) =>
      begun(row.settings, `sub_settings[${index}].settings`)
    ),
  ];
  return actions.reduce((at, action) => withRowAction(at, action) ?? at, form);
}

/** Opens the sub-URLs that one of these fields is in. */
export function withOpenRows(form: BackendForm, fields: readonly string[]): BackendForm {
  const holdsOne = (row: string) =>
    fields.some((field) =>
      ["http_method", "regex", "settings"].some((name) => isWithin(field, `${row}.${name}`))
    );
  return {
    ...form,
    sub_settings: form.sub_settings.map((row, index) =>
      holdsOne(`sub_settings[${index}]`) ? { ...row, open: "true" } : row
    ),
  };
}

const firstFields: Record<string, string> = {
  servers: "host",
  url_matches: "frontend_prefix",
  sub_settings: "regex",
  rewrites: "frontend_matcher",
};

/**
 * Where to go on after `_action`: in the first field of a new row, at the same button of
 * a row that was moved as long as it can be moved on, else at the list or row itself.
 */
export function placeAfter(form: BackendForm, action: string): string {
  const read = readAction(action);
  if (read === null) return "";
  const { verb, list, index } = read;
  const count = listLength(form, list);
  switch (verb) {
    case "add":
      return `${list}[${count - 1}].${firstFields[list] ?? firstColumn(list)}`;
    case "up":
      return `${list}[${index - 1}].${index - 1 === 0 ? "down" : "up"}`;
    case "down":
      return `${list}[${index + 1}].${index + 1 === count - 1 ? "up" : "down"}`;
    case "open":
    case "close":
      return `${list}[${index}].open`;
    case "remove":
      return list;
  }
}

function listLength(form: BackendForm, list: string): number {
  if (list === "servers" || list === "url_matches") return form[list].length;
  if (list === "sub_settings" || list === "rewrites") return form[list].length;
  const [first, index, ...rest] = fieldSteps(list) ?? [];
  const settings = first === "settings"
    ? form.settings
    : form.sub_settings[Number(index)]?.settings;
  const name = String(first === "settings" ? index : rest.at(-1));
  return settings !== undefined && isSettingName(name) ? rowsOf(settings[name]).length : 0;
}

function firstColumn(list: string): string {
  const name = list.replace(/^.*\./, "");
  const field = isSettingName(name) ? settingFields[name] : null;
  return field?.control === "rows" ? Object.keys(rowKind(field.kind).columns)[0] ?? "" : "";
}
