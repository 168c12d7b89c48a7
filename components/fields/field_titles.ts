/** What the fields of a table are called, by the paths that lead to them or into them. */
import type { Field, FieldTable } from "./field_kinds.ts";
import { rowKind } from "./row_kinds.ts";
import { decapitalized } from "./wording.ts";

/** A field of one of the tables, and what of the path is within it: `[0].key`. */
export interface PlacedField {
  readonly field: Field;
  readonly rest: string;
}

/** The field of a table that a path within it is of or lies in. */
export function placedIn(table: FieldTable, path: string): PlacedField | null {
  const steps = path.split(/(?=[.[])/);
  for (let length = steps.length; length > 0; length--) {
    const name = steps.slice(0, length).join("");
    const field = Object.hasOwn(table, name) ? table[name] : undefined;
    if (field !== undefined) return { field, rest: steps.slice(length).join("") };
  }
  return null;
}

/** The label of a field, or of the column of a list that a path leads to. */
export function labelWithin({ field, rest }: PlacedField): string {
  const column = field.control === "rows"
    ? rowKind(field.kind).columns[rest.replace(/^\[\d+\]\.?/, "")]
    : undefined;
  return column?.label ?? field.label;
}

/** The label with the item of a list in front. */
export function titleWithin({ field, rest }: PlacedField): string {
  if (field.control === "yaml" && rest !== "") {
    return `${field.label}: ${rest.slice(1).replaceAll(".", ", ")}`;
  }
  const [, index, inner = ""] = /^\[(\d+)\](.*)$/.exec(rest) ?? [];
  if (index === undefined || (field.control !== "rows" && field.control !== "lines")) {
    return field.label;
  }
  const row = rowName(field.item, index);
  return inner === "" ? row : `${row}: ${decapitalized(labelWithin({ field, rest }))}`;
}

/** The label of a path, whichever rows it leads through; a path that has none stands for itself. */
export function labelOfPath(labels: Readonly<Record<string, string>>, path: string): string {
  const name = path.replaceAll(/\[\d+\]/g, "");
  return Object.hasOwn(labels, name) ? labels[name] ?? path : path;
}

/** What a row or item is called: `Server 1`; `index` counts from 0. */
export function rowName(label: string, index: string | number): string {
  return `${label} ${Number(index) + 1}`;
}
