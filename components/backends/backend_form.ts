/**
 * A backend as its form holds it: everything is the text that was typed, so a
 * form that comes back shows it again to the letter. The server reads what was
 * posted with this, the browser what stands in the fields.
 */
import { type FieldTree, nestedFields, textAt, treeAt, treesAt } from "../nested_fields.ts";
import {
  healthCheckFields,
  type HealthCheckForm,
  tlsFields,
  type TlsForm,
} from "./server_fields.ts";
import { readFields } from "../fields/fields_form.ts";
import { noSettings, readSettings, type SettingsForm } from "./settings/settings_form.ts";

export interface ServerFields {
  readonly host: string;
  /** Empty: the protocol's own. */
  readonly port: string;
}

export interface PrefixFields {
  readonly frontend_prefix: string;
  readonly backend_prefix: string;
}

export interface RewriteFields {
  readonly matcher_type: string;
  readonly http_method: string;
  readonly frontend_matcher: string;
  readonly backend_replacement: string;
}

export interface SubUrlFields {
  readonly http_method: string;
  readonly regex: string;
  readonly settings: SettingsForm;
  /** "true": its fields are shown; else its line alone. */
  readonly open: string;
}

export interface BackendForm {
  readonly name: string;
  readonly backend_protocol: string;
  readonly frontend_host: string;
  readonly backend_host: string;
  readonly balance_algorithm: string;
  readonly servers: readonly ServerFields[];
  readonly backend_tls: TlsForm;
  readonly health_check: HealthCheckForm;
  readonly url_matches: readonly PrefixFields[];
  readonly settings: SettingsForm;
  readonly sub_settings: readonly SubUrlFields[];
  readonly rewrites: readonly RewriteFields[];
}

export const blankRows = {
  servers: { host: "", port: "" },
  url_matches: { frontend_prefix: "", backend_prefix: "" },
  sub_settings: { http_method: "any", regex: "", settings: noSettings, open: "true" },
  rewrites: {
    matcher_type: "route",
    http_method: "any",
    frontend_matcher: "",
    backend_replacement: "",
  },
} as const;

/** The form of a backend that is not there yet; `entries` may fill some of it in. */
export function newBackendForm(entries: Iterable<readonly [string, unknown]> = []): BackendForm {
  const form = readBackendForm(entries);
  return {
    ...form,
    frontend_host: form.frontend_host === "" ? "*" : form.frontend_host,
    servers: form.servers.length > 0 ? form.servers : [blankRows.servers],
    url_matches: form.url_matches.length > 0 ? form.url_matches : [blankRows.url_matches],
  };
}

/** Reads the fields of the form, as they were posted or as they stand in the page. */
export function readBackendForm(entries: Iterable<readonly [string, unknown]>): BackendForm {
  const tree = nestedFields(entries);
  return {
    name: textAt(tree, "name"),
    backend_protocol: textAt(tree, "backend_protocol", "http"),
    frontend_host: textAt(tree, "frontend_host"),
    backend_host: textAt(tree, "backend_host"),
    balance_algorithm: textAt(tree, "balance_algorithm", "least_conn"),
    servers: rowsAt(tree, "servers").map((row) => ({
      host: textAt(row, "host"),
      port: textAt(row, "port"),
    })),
    backend_tls: readFields(tlsFields, treeAt(tree, "backend_tls")),
    health_check: readFields(healthCheckFields, treeAt(tree, "health_check")),
    url_matches: rowsAt(tree, "url_matches").map((row) => ({
      frontend_prefix: textAt(row, "frontend_prefix"),
      backend_prefix: textAt(row, "backend_prefix"),
    })),
    settings: readSettings(treeAt(tree, "settings")),
    sub_settings: rowsAt(tree, "sub_settings").map(readSubUrl),
    rewrites: rowsAt(tree, "rewrites").map((row) => ({
      matcher_type: textAt(row, "matcher_type", blankRows.rewrites.matcher_type),
      http_method: textAt(row, "http_method", blankRows.rewrites.http_method),
      frontend_matcher: textAt(row, "frontend_matcher"),
      backend_replacement: textAt(row, "backend_replacement"),
    })),
  };
}

/**
 * Twice the rows that a backend may have. Nobody fills in more, and to show thousands again
 * would keep the admin's pages from everybody for minutes.
 */
const ROWS_MAX = 512;

function rowsAt(tree: FieldTree, list: string): readonly FieldTree[] {
  return treesAt(tree, list).slice(0, ROWS_MAX);
}

function readSubUrl(row: FieldTree): SubUrlFields {
  return {
    http_method: textAt(row, "http_method", blankRows.sub_settings.http_method),
    regex: textAt(row, "regex"),
    settings: readSettings(treeAt(row, "settings")),
    open: textAt(row, "open"),
  };
}

/** The port that the protocol has by itself. */
export function usualPort(protocol: string): number {
  return protocol === "https" ? 443 : 80;
}

/** What tells a form from another: which sub-URLs are open is no part of it. */
export function formIdentity(form: BackendForm): string {
  return JSON.stringify({
    ...form,
    sub_settings: form.sub_settings.map((row) => ({ ...row, open: "" })),
  });
}
