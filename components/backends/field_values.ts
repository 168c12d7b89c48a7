/** The values of a backend's fields in words, where a change to one is told. */
import { durationWords } from "@/gateway/limit/policies.ts";
import { rowKind } from "../fields/row_kinds.ts";
import { choiceLabel } from "../fields/state_words.ts";
import { placedField } from "./field_labels.ts";
import { balancing, matcherTypes, methods } from "./routing_choices.ts";

/** `text` is a value as `gateway/publish/` tells it. */
export function fieldValue(path: string, text: string): string {
  const placed = placedField(path);
  if (placed === null) return routingValue(path, text);
  const { field, rest } = placed;
  switch (field.control) {
    case "choice":
      // Where nothing set means "no", that is the first choice.
      return choiceLabel(field, text) ?? (field.yesNo ? field.choices[0]?.label : null) ?? text;
    case "secret":
      return "set";
    case "number":
      return field.unit === null ? text : `${text} ${field.unit === "seconds" ? "s" : "bytes"}`;
    case "rows":
      return columnValue(field.kind, rest.replace(/^\[\d+\]\./, ""), text);
    default:
      return path === "backend_tls.ca" ? certificateWords(text) : text;
  }
}

/**
 * Both values of a change in words. Secrets are not told; that they are not the same is.
 */
export function changedValues(
  path: string,
  before: string | null,
  after: string | null,
): { before: string | null; after: string | null } {
  const words = (value: string | null) => value === null ? null : fieldValue(path, value);
  const isSecret = placedField(path)?.field.control === "secret";
  return {
    before: words(before),
    after: isSecret && before !== null && after !== null ? "changed" : words(after),
  };
}

function columnValue(kind: Parameters<typeof rowKind>[0], column: string, text: string): string {
  if (kind === "limit" && column === "response_headers") return text === "true" ? "yes" : "no";
  if (kind === "limit" && column === "duration") {
    return durationWords(Number(text)).replace(/^in /, "");
  }
  const choices = rowKind(kind).columns[column]?.choices ?? [];
  return choices.find(({ value }) => value === text)?.label ?? text;
}

const offered: Record<string, readonly { readonly value: string; readonly label: string }[]> = {
  balance_algorithm: balancing,
  matcher_type: matcherTypes,
  http_method: methods,
};

function routingValue(path: string, text: string): string {
  const choices = offered[path.replace(/^.*\./, "")] ?? [];
  return choices.find(({ value }) => value === text)?.label ?? text;
}

/** How many certificates there are, and by what the last one can be told from another. */
function certificateWords(pem: string): string {
  const ends = [...pem.matchAll(/([^\s-]{1,12})\s*-----END CERTIFICATE-----/g)];
  const count = ends.length === 1 ? "1 certificate" : `${ends.length} certificates`;
  return `${count}, ending in ${ends.at(-1)?.[1] ?? ""}`;
}
