/**
 * From the errors of `gateway/backends/` to the fields of the form: which of them holds
 * what is wrong, and what to write instead. Of the server alone.
 */
import { isNode, LineCounter, parseDocument } from "yaml";
import type { FieldError } from "@/gateway/faults.ts";
import { fieldSteps } from "../nested_fields.ts";
import type { BackendForm } from "./backend_form.ts";
import { lineItems } from "../fields/field_text.ts";
import { isWithin, placeOnPage } from "./form_sections.ts";
import { hostAdvice } from "./pasted_url.ts";
import { healthCheckFields } from "./server_fields.ts";
import type { FieldTable } from "../fields/field_kinds.ts";
import { fieldPath, type FieldState, textOf } from "../fields/fields_form.ts";
import { settingFields } from "./settings/table.ts";

/**
 * The errors by the fields of the form and in its order: the first of each field, which is
 * the one to put right first, and for a list in one control the first that names each bad
 * item. Where a URL was pasted for a host, the message goes on with what to write instead.
 */
export function formErrors(errors: readonly FieldError[], form: BackendForm): FieldError[] {
  const first = errors.filter(({ field }, index) =>
    field === undefined || errors.findIndex((other) => other.field === field) === index
  );
  return first
    .map((error) => groupError(error, groupsOf(form)) ?? hostError(error, form) ?? error)
    .toSorted((a, b) => placeOnPage(a.field ?? "") - placeOnPage(b.field ?? ""));
}

/** Fields of a table, and where in the record they are. */
export interface FieldGroupAt {
  /** `sub_settings[0].settings`; "" for the record itself. */
  readonly path: string;
  readonly table: FieldTable;
  readonly form: Readonly<Record<string, FieldState>>;
}

function groupsOf(form: BackendForm): FieldGroupAt[] {
  return [
    { path: "settings", table: settingFields, form: form.settings },
    { path: "health_check", table: healthCheckFields, form: form.health_check },
    ...form.sub_settings.map(({ settings }, index) => ({
      path: `sub_settings[${index}].settings`,
      table: settingFields,
      form: settings,
    })),
  ];
}

/** An error within a field that holds several things, at that field. */
export function groupError(
  error: FieldError,
  groups: readonly FieldGroupAt[],
): FieldError | undefined {
  const path = error.field ?? "";
  const fields = groups.flatMap((group) =>
    Object.entries(group.table).map(([name, field]) => ({ group, name, field }))
  );
  for (const { group, name, field } of fields) {
    const own = fieldPath(group.path, name);
    if (!isWithin(path, own)) continue;
    const text = textOf(group.form[name]);
    const [inner] = path.slice(own.length).match(/\d+/) ?? [];
    if (field.control === "lines" && inner !== undefined) {
      const item = lineItems(text, field.commas)[Number(inner)] ?? "";
      return { ...error, field: own, message: `“${item}” ${error.message}` };
    }
    if (field.control === "yaml") {
      return { ...error, field: own, message: yamlMessage(text, path.slice(own.length), error) };
    }
  }
  return undefined;
}

/** Where in the text it is, and what is wrong there; `inner` is `.common.status_code`. */
function yamlMessage(text: string, inner: string, { message }: FieldError): string {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  // The first line of the parser's message tells what and where; a picture of it follows.
  if (broken !== undefined) return `is no YAML: ${broken.message.split(":\n")[0]}`;
  const steps = fieldSteps(inner.slice(1)) ?? [];
  const place = deepestNode(document, steps);
  const name = steps.length === 0 ? "it" : `“${steps.join(".")}”`;
  return `has an error on line ${lines.linePos(place).line}: ${name} ${message}`;
}

/** Where the text of the node at `steps` begins, or of the nearest one around it. */
function deepestNode(
  document: ReturnType<typeof parseDocument>,
  steps: readonly (string | number)[],
): number {
  for (let depth = steps.length; depth > 0; depth--) {
    const node = document.getIn(steps.slice(0, depth), true);
    if (isNode(node)) return node.range?.[0] ?? 0;
  }
  return document.contents?.range?.[0] ?? 0;
}

function hostError(error: FieldError, form: BackendForm): FieldError | undefined {
  const { field = "" } = error;
  const [, index] = /^servers\[(\d+)\]\.host$/.exec(field) ?? [];
  const advice = index !== undefined
    ? hostAdvice(form.servers[Number(index)]?.host ?? "", true)
    : field === "frontend_host" || field === "backend_host"
    ? hostAdvice(form[field], false)
    : null;
  return advice === null ? undefined : { ...error, message: `${error.message}, ${advice}` };
}
