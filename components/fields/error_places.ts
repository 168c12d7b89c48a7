/**
 * Errors within a field that holds several things in one text: which item, or which line
 * of it, is wrong. Of the server alone.
 */
import { isNode, LineCounter, parseDocument } from "yaml";
import type { FieldError } from "@/gateway/faults.ts";
import { fieldSteps } from "../nested_fields.ts";
import type { FieldTable } from "./field_kinds.ts";
import { fieldPath, isWithin } from "./field_path.ts";
import { lineItems } from "./field_text.ts";
import { type FieldState, textOf } from "./fields_form.ts";

/** Fields of a table, and where in the record they are. */
export interface FieldsAt {
  /** `sub_settings[0].settings`; "" for the record itself. */
  readonly path: string;
  readonly table: FieldTable;
  readonly form: Readonly<Record<string, FieldState>>;
}

/** An error within a field that holds several things, at that field. */
export function errorAtField(
  error: FieldError,
  groups: readonly FieldsAt[],
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
