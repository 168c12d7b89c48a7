/** The lists of a backend's form: its own, those of its settings and of its sub-URLs' settings. */
import { isWithin } from "../fields/field_path.ts";
import { isSet, withoutBlankRows as filledRows } from "../fields/fields_form.ts";
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
import { type BackendForm, blankRows, formIdentity, readBackendForm } from "./backend_form.ts";
import { isUnset, type SettingsForm } from "./settings/settings_form.ts";
import { settingFields } from "./settings/table.ts";

export const backendEdits: FormEdits<BackendForm> = {
  read: readBackendForm,
  withRowAction,
  placeAfter,
  withFirstRows,
  withoutBlankRows,
  identity: formIdentity,
};

function withRowAction(form: BackendForm, action: string): BackendForm | null {
  const read = readAction(action);
  if (read === null) return null;
  const { servers, url_matches, rewrites, sub_settings } = form;
  switch (read.list) {
    case "servers":
      return { ...form, servers: rowsAfter(servers, blankRows.servers, read) };
    case "url_matches":
      return { ...form, url_matches: rowsAfter(url_matches, blankRows.url_matches, read) };
    case "rewrites":
      return { ...form, rewrites: rowsAfter(rewrites, blankRows.rewrites, read) };
    case "sub_settings": {
      const rows = sub_settings.map((row, index) =>
        index === read.index ? { ...row, open: openAfter(read.verb, row.open) } : row
      );
      return { ...form, sub_settings: rowsAfter(rows, blankRows.sub_settings, read) };
    }
    default:
      return withSettingsRow(form, read);
  }
}

function openAfter(verb: RowAction["verb"], open: string): string {
  if (verb === "open") return "true";
  return verb === "close" ? "" : open;
}

function withSettingsRow(form: BackendForm, action: RowAction): BackendForm | null {
  const { subUrl, name } = settingsPlace(action.list);
  if (subUrl === null) {
    const settings = withRowOf(settingFields, form.settings, name, action);
    return settings === null ? null : { ...form, settings };
  }
  const row = form.sub_settings[subUrl];
  const settings = row && withRowOf(settingFields, row.settings, name, action);
  if (row === undefined || settings === null || settings === undefined) return null;
  return { ...form, sub_settings: form.sub_settings.with(subUrl, { ...row, settings }) };
}

interface SettingsPlace {
  /** Null: the backend's own. */
  readonly subUrl: number | null;
  /** Empty for what is no setting. */
  readonly name: string;
}

/** `settings.headers`, or `sub_settings[0].settings.headers`. */
function settingsPlace(list: string): SettingsPlace {
  const [, index, name = ""] = /^(?:sub_settings\[(\d+)\]\.)?settings\.(\w+)$/.exec(list) ?? [];
  return { subUrl: index === undefined ? null : Number(index), name };
}

function withFirstRows(form: BackendForm): BackendForm {
  return {
    ...form,
    settings: begun(settingFields, form.settings),
    sub_settings: form.sub_settings.map((row) => ({
      ...row,
      settings: begun(settingFields, row.settings),
    })),
  };
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

/** Of servers and prefixes one row stays. */
function withoutBlankRows(form: BackendForm): BackendForm {
  const { servers, url_matches, rewrites, sub_settings } = form;
  const filled = (settings: SettingsForm) => filledRows(settingFields, settings);
  return {
    ...form,
    servers: filledOrFirst(servers, ({ host, port }) => host + port),
    url_matches: filledOrFirst(url_matches, (row) => row.frontend_prefix + row.backend_prefix),
    settings: filled(form.settings),
    sub_settings: sub_settings.map((row) => ({ ...row, settings: filled(row.settings) }))
      .filter((row) => isSet(row.regex) || !isUnset(row.settings)),
    rewrites: rewrites.filter((row) => isSet(row.frontend_matcher + row.backend_replacement)),
  };
}

function filledOrFirst<Row>(rows: readonly Row[], textOf: (row: Row) => string): readonly Row[] {
  const filled = rows.filter((row) => isSet(textOf(row)));
  return filled.length > 0 ? filled : rows.slice(0, 1);
}

/** The form's own lists, each with the first field of a row that is filled in. */
const firstFields = {
  servers: "host",
  url_matches: "frontend_prefix",
  sub_settings: "regex",
  rewrites: "frontend_matcher",
} as const;

function isOwnList(list: string): list is keyof typeof firstFields {
  return Object.hasOwn(firstFields, list);
}

function placeAfter(form: BackendForm, action: string): string {
  const read = readAction(action);
  if (read === null) return "";
  const { list } = read;
  if (isOwnList(list)) return placeAfterAction(read, form[list].length, firstFields[list]);
  const { subUrl, name } = settingsPlace(list);
  const settings = subUrl === null ? form.settings : form.sub_settings[subUrl]?.settings;
  return settings === undefined ? list : placeInTable(settingFields, settings, name, read);
}
