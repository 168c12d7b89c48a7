/**
 * Adding and removing rows of a backend's form. The buttons that ask for it send
 * the whole form with `_action`; the browser does the same to the form it shows,
 * where script runs.
 */
import { type BackendForm, blankRows, type SettingsFields } from "./backend_form.ts";

const headerLists = ["headers", "default_response_headers", "override_response_headers"] as const;

/** Every list of rows, by its path in the record. */
export type RowList =
  | "servers"
  | "url_matches"
  | "settings.rate_limits"
  | `settings.${typeof headerLists[number]}`;

/** The value of the button that adds a row to a list. */
export function addRow(list: RowList): string {
  return `add:${list}`;
}

/** The value of the button that removes a row from a list. */
export function removeRow(list: RowList, index: number): string {
  return `remove:${list}[${index}]`;
}

/** The form after what `_action` asks for; null when it is no such request. */
export function withRowAction(form: BackendForm, action: string): BackendForm | null {
  const [, verb, list, index] = /^(add|remove):([a-z_.]+)(?:\[(\d+)\])?$/.exec(action) ?? [];
  if (verb === undefined || list === undefined || (verb === "remove") !== (index !== undefined)) {
    return null;
  }
  const edited = <Row>(rows: readonly Row[], blank: Row): readonly Row[] =>
    index === undefined ? [...rows, blank] : rows.toSpliced(Number(index), 1);
  if (list === "servers") return { ...form, servers: edited(form.servers, blankRows.servers) };
  if (list === "url_matches") {
    return { ...form, url_matches: edited(form.url_matches, blankRows.url_matches) };
  }
  const settings = withSettingsRow(form.settings, list, edited);
  return settings === null ? null : { ...form, settings };
}

type Edit = <Row>(rows: readonly Row[], blank: Row) => readonly Row[];

function withSettingsRow(settings: SettingsFields, list: string, edited: Edit) {
  if (list === "settings.rate_limits") {
    return { ...settings, rate_limits: edited(settings.rate_limits, blankRows.rate_limits) };
  }
  const name = headerLists.find((it) => list === `settings.${it}`);
  return name === undefined
    ? null
    : { ...settings, [name]: edited(settings[name], blankRows.headers) };
}

/** The field to go on with after `_action`: the first one of a new row, else the list itself. */
export function fieldAfter(form: BackendForm, action: string): string {
  const list = action.replace(/^\w+:/, "").replace(/\[\d+\]$/, "");
  if (!action.startsWith("add:")) return list;
  const last = (rows: readonly unknown[]) => rows.length - 1;
  const { servers, url_matches, settings } = form;
  if (list === "servers") return `servers[${last(servers)}].host`;
  if (list === "url_matches") return `url_matches[${last(url_matches)}].frontend_prefix`;
  if (list === "settings.rate_limits") {
    return `settings.rate_limits[${last(settings.rate_limits)}].limit`;
  }
  const name = headerLists.find((it) => list === `settings.${it}`);
  return name === undefined ? list : `${list}[${last(settings[name])}].key`;
}
