/**
 * The fields of a table as a form holds them: the text of each, to the letter, and of
 * lists their rows. Read from what is posted, or from what stands in the page.
 */
import { fieldSteps, type FieldTree, textAt, textsAt, treeAt, treesAt } from "../nested_fields.ts";
import { type Field, type FieldTable, jointOf, type RowsField } from "./field_kinds.ts";
import { fieldPath } from "./field_path.ts";
import { type RowFields, rowKind, type RowKindName, rowKinds } from "./row_kinds.ts";

type RowOf<Kind extends RowKindName> = {
  readonly [Name in keyof (typeof rowKinds)[Kind]["columns"]]: string;
};

export type FieldState = string | readonly RowFields[];

type StateOf<F extends Field> = F extends RowsField<infer Kind> ? readonly RowOf<Kind>[] : string;

export type FieldsForm<Table extends FieldTable> = {
  readonly [Name in keyof Table]: StateOf<Table[Name]>;
};

/** The form that has for each field what `state` makes of it. */
export function mapFields<Table extends FieldTable>(
  table: Table,
  state: (field: Field, name: string) => FieldState,
): FieldsForm<Table> {
  const entries = Object.entries(table).map(([name, field]) => [name, state(field, name)]);
  return Object.fromEntries(entries); // its names are those of the table, and rows are rows
}

/** Each field of a form with its state. */
export function* statesOf(
  table: FieldTable,
  form: Readonly<Record<string, FieldState>>,
): Generator<readonly [name: string, field: Field, state: FieldState]> {
  for (const [name, field] of Object.entries(table)) yield [name, field, form[name] ?? ""];
}

export function textOf(state: FieldState | undefined): string {
  return typeof state === "string" ? state : "";
}

export function rowsOf(state: FieldState | undefined): readonly RowFields[] {
  return typeof state === "object" ? state : [];
}

/** Whether it says anything itself. */
export function isSet(state: FieldState | undefined): boolean {
  return typeof state === "object" ? state.length > 0 : textOf(state).trim() !== "";
}

/** The fields of `table` in the record that a form's names spell. */
export function readFields<Table extends FieldTable>(
  table: Table,
  tree: FieldTree,
): FieldsForm<Table> {
  return mapFields(table, (field, name) => {
    const [parent, leaf] = leafOf(tree, name);
    if (field.control === "rows") return readRows(field.kind, treesAt(parent, leaf));
    // One field that holds them all, or a field for each.
    if (field.control === "lines") {
      return textsAt(parent, leaf).join(jointOf(field)) || textAt(parent, leaf);
    }
    if (field.control === "choice" && !field.inherits) {
      return textAt(parent, leaf, field.choices[0]?.value);
    }
    // Browsers send the lines of a text parted by CR and LF.
    return textAt(parent, leaf).replaceAll("\r\n", "\n");
  });
}

/** `error_templates.json` is the text `json` of the record `error_templates`. */
function leafOf(tree: FieldTree, name: string): [parent: FieldTree, leaf: string] {
  const steps = fieldSteps(name) ?? [name];
  const parent = steps.slice(0, -1).reduce((at, step) => treeAt(at, String(step)), tree);
  return [parent, String(steps.at(-1))];
}

function readRows(kind: RowKindName, rows: readonly FieldTree[]): RowFields[] {
  const columns = Object.entries(rowKind(kind).columns);
  return rows.map((row) =>
    Object.fromEntries(columns.map(([name, { missing }]) => [name, textAt(row, name, missing)]))
  );
}

/** What a form with the fields at `path` sends, but for what is empty. */
export function postedFields(
  table: FieldTable,
  form: Readonly<Record<string, FieldState>>,
  path: string,
): (readonly [name: string, value: string])[] {
  const states = [...statesOf(table, form)];
  return states.flatMap(([name, , state]) => {
    if (typeof state === "string") return [[fieldPath(path, name), state] as const];
    return state.flatMap((row, index) =>
      Object.entries(row).map(([column, value]) =>
        [`${fieldPath(path, name)}[${index}].${column}`, value] as const
      )
    );
  }).filter(([, value]) => value !== "");
}

/** The form without the rows that nobody filled in. */
export function withoutBlankRows<Table extends FieldTable>(
  table: Table,
  form: FieldsForm<Table>,
): FieldsForm<Table> {
  return mapFields(table, (field, name) => {
    const state: FieldState = form[name] ?? "";
    if (field.control !== "rows") return state;
    const { blank } = rowKind(field.kind);
    // What a new row says of itself is nothing that was filled in.
    const open = Object.keys(blank).filter((column) => blank[column] === "");
    const filled = (row: RowFields) => open.some((column) => isSet(row[column]));
    return rowsOf(state).filter(filled);
  });
}
