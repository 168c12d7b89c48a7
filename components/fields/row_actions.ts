/**
 * What is done to the lists of a form: adding, removing and moving their rows, opening and
 * closing them. The buttons that ask for it send the whole form with `_action`; the
 * browser does the same to the form it shows, where script runs.
 */
import type { FieldTable } from "./field_kinds.ts";
import { type FieldsForm, type FieldState, mapFields, rowsOf } from "./fields_form.ts";
import { type RowFields, rowKind } from "./row_kinds.ts";

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
  /** The row's place; -1 for one to be added. */
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

/** The rows after one was added, removed or moved; opening and closing leave them as they are. */
export function rowsAfter<Row>(
  rows: readonly Row[],
  blank: Row,
  { verb, index }: RowAction,
): readonly Row[] {
  if (verb === "add") return [...rows, blank];
  if (verb === "remove") return rows.toSpliced(index, 1);
  const other = index + (verb === "up" ? -1 : 1);
  const [row, neighbour] = [rows[index], rows[other]];
  if ((verb !== "up" && verb !== "down") || row === undefined || neighbour === undefined) {
    return rows;
  }
  return rows.with(index, neighbour).with(other, row);
}

/** The fields of a table with the rows of one of them changed; null when it has no rows. */
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
  const changed = rowsAfter<RowFields>(rows, rows.length === 0 ? first : blank, action);
  // Who adds a row wants it to count, which it does under one value of another field alone.
  const [gate, value] = action.verb === "add" ? field.onlyWhile ?? [] : [];
  return { ...form, ...(gate !== undefined && { [gate]: value }), [name]: changed };
}

/** Lists that another field makes count begin with a row to fill in: custom limits with one. */
export function withFirstRows<Table extends FieldTable>(
  table: Table,
  form: FieldsForm<Table>,
): FieldsForm<Table> {
  return mapFields(table, (field, name) => {
    const state: FieldState = form[name] ?? "";
    const [gate, value] = field.onlyWhile ?? [];
    const counts = gate !== undefined && form[gate] === value;
    return field.control === "rows" && counts && rowsOf(state).length === 0
      ? [rowKind(field.kind).first]
      : state;
  });
}

/**
 * Where to go on after an action: in the first field of a new row, at the same button of
 * a row that was moved as long as it can be moved on, else at the list or row itself.
 *
 * @param count How many rows the list has since.
 * @param firstField The name of a row's first field; null where a row is one field.
 */
export function placeAfterAction(
  { verb, list, index }: RowAction,
  count: number,
  firstField: string | null,
): string {
  switch (verb) {
    case "add":
      return `${list}[${count - 1}]${firstField === null ? "" : `.${firstField}`}`;
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

/** The same for the rows of a table's field; the list itself where the table has no such rows. */
export function placeInTable(
  table: FieldTable,
  form: Readonly<Record<string, FieldState>>,
  name: string,
  action: RowAction,
): string {
  const field = Object.hasOwn(table, name) ? table[name] : undefined;
  if (field?.control !== "rows") return action.list;
  const [firstColumn = null] = Object.keys(rowKind(field.kind).columns);
  return placeAfterAction(action, rowsOf(form[name]).length, firstColumn);
}
