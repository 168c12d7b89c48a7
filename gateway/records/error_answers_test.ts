import assert from "node:assert/strict";
import { errorData, errorTemplates } from "./error_answers.ts";
import { fieldErrors } from "./validate.ts";

const errors = (schema: typeof errorData | typeof errorTemplates, input: unknown) =>
  fieldErrors(schema, input).map(({ field, message }) => `${field}: ${message}`);

Deno.test("a JSON template must give JSON, with values that bring their quotation marks", () => {
  assert.deepEqual(errors(errorTemplates, { json: '{"error": {{ message }}, "x": 1}' }), []);
  assert.deepEqual(errors(errorTemplates, { json: "" }), []);
  const [quoted = ""] = errors(errorTemplates, { json: '{"error": "{{message}}"}' });
  assert.match(quoted, /^json: does not give JSON: .*position.*Values bring their quotation marks/);
  assert.match(errors(errorTemplates, { json: "{{message" })[0] ?? "", /does not give JSON/);
});

Deno.test("templates of other formats may be anything that is not too long", () => {
  assert.deepEqual(errors(errorTemplates, { xml: "<a", csv: '"', html: "{{#if}}" }), []);
  assert.deepEqual(errors(errorTemplates, { html: "x".repeat(8193) }), [
    "html: is too long (maximum is 8192 characters)",
  ]);
  assert.deepEqual(errors(errorTemplates, { yaml: "x" }).length, 1);
});

Deno.test("data are text, numbers, true or false under names of refusals that there are", () => {
  assert.deepEqual(errors(errorData, { common: { a: "b", c: 1, d: true }, not_found: null }), []);
  assert.deepEqual(errors(errorData, { common: { a: ["b"] } }), [
    "common.a: must be text, a number, or true or false",
  ]);
  assert.deepEqual(errors(errorData, { api_key_mising: {} }), [
    'api_key_mising: is not a known field, did you mean "api_key_missing"?',
  ]);
});

Deno.test("a status is one of answers that have a body", () => {
  const status = (status_code: unknown) => errors(errorData, { not_found: { status_code } });
  for (const good of [200, 404, 429, 599]) assert.deepEqual(status(good), []);
  for (const bad of [101, 204, 205, 304, 600, 404.5, "404", true]) {
    assert.match(status(bad)[0] ?? "", /^not_found: holds a status_code that is no whole number/);
  }
});
