/** Between the fields of a form and the record that `gateway/` keeps. Of the server alone. */
import { Document, isSeq, parseDocument } from "yaml";
import { type Field, type FieldTable, jointOf, type RowsField } from "./field_kinds.ts";
import { inheritable, lineItems, numeric } from "./field_text.ts";
import {
  type FieldsForm,
  type FieldState,
  mapFields,
  rowsOf,
  statesOf,
  textOf,
} from "./fields_form.ts";
import { durationUnits, type RowFields, type RowKindName } from "./row_kinds.ts";
import { choiceLabel } from "./state_words.ts";

type Values = Readonly<Record<string, unknown>>;

/** The form of a record whose values are what its schema says; nothing set is an empty text. */
export function fieldsForm<Table extends FieldTable>(
  table: Table,
  record: object,
): FieldsForm<Table> {
  return mapFields(table, (field, name) => state(field, valueAt(record, name)));
}

function valueAt(record: object, name: string): unknown {
  return name.split(".").reduce<unknown>(
    (at, step) => at !== null && typeof at === "object" ? (at as Values)[step] : undefined,
    record,
  );
}

function state(field: Field, value: unknown): FieldState {
  if (field.control === "rows") return list(value).map(rowStates[field.kind]);
  if (field.control === "lines") return list(value).join(jointOf(field));
  if (field.control === "yaml") return yamlText(value);
  const text = value === null || value === undefined ? "" : String(value);
  // What is none of the choices is the one without a word: "no" where nothing set means that.
  if (field.control === "choice" && choiceLabel(field, text) === undefined) return "";
  return text;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function yamlText(value: unknown): string {
  if (value === null || typeof value !== "object" || Object.keys(value).length === 0) return "";
  return new Document(value).toString({ lineWidth: 0 });
}

function texts(value: unknown): RowFields {
  const entries = Object.entries(value as Values); // the schema's rows are records
  return Object.fromEntries(entries.map(([name, item]) => [name, String(item)]));
}

const rowStates: Record<RowKindName, (value: unknown) => RowFields> = {
  header: texts,
  quota: texts,
  limit: (value) => {
    const row = texts(value);
    return {
      ...row,
      ...durationFields(Number(row.duration)),
      response_headers: row.response_headers === "true" ? "true" : "",
    };
  },
};

/** Milliseconds in the longest unit that they are a whole number of. */
function durationFields(milliseconds: number): { duration: string; unit: string } {
  const unit = durationUnits.find(({ value }) => milliseconds % Number(value) === 0)?.value ?? "1";
  return { duration: String(milliseconds / Number(unit)), unit };
}

/**
 * What the REST API would be sent as JSON; nothing is checked, the schema does that.
 * Where a field cannot be what it should, its text goes on as it is, to be refused.
 */
export function fieldsInput<Table extends FieldTable>(
  table: Table,
  form: FieldsForm<Table>,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, field, state] of statesOf(table, form)) {
    place(
      input,
      name,
      field.control === "rows"
        ? rowsInput(field, state, form[field.onlyWhile?.[0] ?? ""])
        : textInput(field, textOf(state)),
    );
  }
  return input;
}

/** Where the field that decides on them says otherwise, rows mean nothing and are not shown. */
function rowsInput(field: RowsField, state: FieldState, gate: FieldState | undefined): unknown[] {
  const count = field.onlyWhile === null || gate === field.onlyWhile[1];
  return count ? rowsOf(state).map(rowInputs[field.kind]) : [];
}

/** What is null within a record of its own is left out there. */
function place(input: Record<string, unknown>, name: string, value: unknown): void {
  const [parent, leaf] = name.split(".");
  if (parent === undefined || leaf === undefined) input[name] = value;
  else if (value !== null) {
    input[parent] = { ...input[parent] as Values | undefined, [leaf]: value };
  }
}

function textInput(field: Exclude<Field, { control: "rows" }>, text: string): unknown {
  switch (field.control) {
    case "choice":
      return inheritable(text, field.yesNo ? (it) => it === "true" : undefined);
    case "number":
      return inheritable(text, numeric);
    case "lines":
      return lineItems(text, field.commas).map(field.numbers ? numeric : String);
    case "block":
      return text === "" ? null : text;
    case "yaml":
      return yamlValue(text);
    case "text":
    case "secret":
    case "fact":
      return inheritable(text);
  }
}

/** What the text stands for; what is no YAML, or a list, stays text. */
function yamlValue(text: string): unknown {
  if (text.trim() === "") return {};
  const document = parseDocument(text);
  if (document.errors.length > 0 || isSeq(document.contents)) return text;
  try {
    return document.toJS();
  } catch {
    return text; // its aliases stand for nothing, or for more than could be stored
  }
}

const rowInputs: Record<RowKindName, (row: RowFields) => unknown> = {
  header: (row) => row,
  quota: (row) => ({ ...row, limit: numeric(row.limit ?? "") }),
  limit: (row) => {
    const duration = numeric(row.duration ?? "");
    return {
      duration: typeof duration === "number" ? duration * Number(row.unit) : duration,
      limit_by: row.limit_by,
      limit: numeric(row.limit ?? ""),
      response_headers: row.response_headers === "true",
    };
  },
};
