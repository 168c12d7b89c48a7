/** What a field's state is in words: where it is inherited from, and where a change is told. */
import { limitWords, quotaWords } from "@/gateway/limit/policies.ts";
import type { Field, FieldTable } from "./field_kinds.ts";
import { lineItems } from "./field_text.ts";
import { type FieldState, isSet, rowsOf, textOf } from "./fields_form.ts";
import type { RowFields, RowKindName } from "./row_kinds.ts";
import { counted, decapitalized } from "./wording.ts";

/** What a state says, item by item: a list may have several. */
export function stateWords(field: Field, state: FieldState): readonly string[] {
  if (field.control === "rows") return rowsOf(state).map(rowWords[field.kind]);
  const text = textOf(state);
  if (field.control === "lines") return lineItems(text, field.commas);
  if (field.control === "secret") return [text === "" ? "" : "set"];
  return [field.control === "choice" ? choiceWords(field, text) : text];
}

/** In the words of the form, within a sentence. */
export function choiceWords(field: Field, value: string): string {
  const label = choiceLabel(field, value);
  return label === undefined ? value : decapitalized(label);
}

/** The label of a value; undefined for a field that offers none. */
export function choiceLabel(field: Field, value: string): string | undefined {
  if (field.control !== "choice") return undefined;
  return field.choices.find((choice) => choice.value === value)?.label;
}

const rowWords: Record<RowKindName, (row: RowFields) => string> = {
  header: ({ key = "" }) => key,
  limit: ({ limit, limit_by, duration, unit }) =>
    limitWords({
      calls: Number(limit),
      duration: Number(duration) * Number(unit),
      by: subject(limit_by),
    }),
  quota: ({ limit, limit_by, period }) =>
    quotaWords({
      calls: Number(limit),
      period: period === "month" ? "month" : "day",
      by: subject(limit_by),
    }),
};

function subject(limitBy: string | undefined): "ip" | "api_key" {
  return limitBy === "ip" ? "ip" : "api_key";
}

/** What is set in a section, in a few words; empty when nothing is. */
export function setWords(
  table: FieldTable,
  form: Readonly<Record<string, FieldState>>,
): readonly string[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const words = brief(field, form[name] ?? "");
    return words === "" ? [] : [words];
  });
}

function brief(field: Field, state: FieldState): string {
  if (!isSet(state) || field.control === "fact") return "";
  const text = textOf(state);
  switch (field.control) {
    case "choice":
      return field.choices.find(({ value }) => value === text)?.brief ?? "";
    case "rows":
      return counted(rowsOf(state).length, decapitalized(field.item));
    case "lines":
      return counted(lineItems(text, field.commas).length, field.brief);
    case "number":
      return field.unit === "seconds" ? `${field.brief} ${text} s` : `${field.brief} ${text}`;
    default:
      return field.brief;
  }
}
