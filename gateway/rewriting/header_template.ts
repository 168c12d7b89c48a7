/**
 * Templates for the headers of a request, over the headers that it is going out with:
 * the key has left them, and who calls has been said. So no template can pass on a
 * key, and what it says of the caller is true.
 */
import { fieldValue, type HeaderFields } from "../exchange/header_fields.ts";
import { isGatewayField } from "./gateway_fields.ts";
import { compileTemplate, isTemplate, type Template } from "./template.ts";
import { problemOf } from "./written_problem.ts";

const PREFIX = "headers.";

/** The names of `headers.<name>`; fields' names have no case. */
const vocabulary = {
  variable: (name: string) => {
    if (!name.startsWith(PREFIX) || name === PREFIX) return null;
    const wanted = name.slice(PREFIX.length).toLowerCase();
    return (fields: HeaderFields) => fieldValue(fields, wanted) ?? "";
  },
  escape: escapeHtml,
  names: "only headers.<name> is known",
};

/** @throws {WrittenProblem} */
export function compileHeaderTemplate(source: string): Template<HeaderFields> {
  return compileTemplate(source, vocabulary);
}

/**
 * What is wrong with the value of a header that is set, as a sentence goes on behind
 * the field's name; null when nothing is.
 */
export function headerValueProblem(name: string, value: string): string | null {
  if (!isTemplate(value)) return null;
  const field = name.toLowerCase();
  // Callers must not choose a backend's site, nor be believed what only the gateway may say.
  if (field === "host") return "must be a plain text: the host is not the caller's to choose";
  const names = isGatewayField(field) ? trustedVocabulary : vocabulary;
  return problemOf(() => compileTemplate(value, names));
}

const trustedVocabulary = {
  ...vocabulary,
  variable: (name: string) =>
    isGatewayField(name.slice(PREFIX.length).toLowerCase()) ? vocabulary.variable(name) : null,
  names: "a header that backends trust in may only repeat those that the gateway sets itself",
};

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "/": "&#x2F;",
};

const SPECIAL = /[&<>"'/]/;

/** As Mustache asks for; `{{{raw}}}` is without it. */
function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(/[&<>"'/]/g, (character) => ENTITIES[character] ?? character);
}
