import assert from "node:assert/strict";
import { builtInAnswers } from "../refusal/error_answers.ts";
import { compileErrorAnswers } from "./error_answers.ts";
import { Layers, type StoredSettings } from "./layers.ts";

function compiled(...settings: [StoredSettings, StoredSettings, StoredSettings?]) {
  return compileErrorAnswers(new Layers(...settings));
}

Deno.test("data of all layers are merged name by name, the nearest one first", () => {
  const answers = compiled(
    { error_data: { common: { a: 1, b: 1 }, api_key_missing: { c: 1, status_code: 401 } } },
    { error_data: { common: { b: 2 }, api_key_missing: {}, not_found: null } },
    { error_data: { api_key_missing: { a: 3 } } },
  );
  const { status, variables } = answers.of("API_KEY_MISSING");
  assert.equal(status, 401);
  assert.deepEqual(["a", "b", "c"].map((name) => variables.get(name)), [3, 2, 1]);
  const other = answers.of("API_KEY_INVALID");
  assert.equal(other.status, 403);
  assert.deepEqual(["a", "b", "c"].map((name) => other.variables.get(name)), [1, 2, undefined]);
});

Deno.test("templates of all layers are merged format by format; an empty one is none", () => {
  const { templates } = compiled(
    { error_templates: { xml: "default", csv: "default", html: "default" } },
    { error_templates: { csv: "backend", html: "backend" } },
    { error_templates: { csv: "", html: "sub-URL" } },
  ).of("NOT_FOUND");
  const texts = [...templates].map(([format, text]) => [format, text.fill(() => undefined, 99)]);
  assert.deepEqual(Object.fromEntries(texts), {
    xml: "default",
    csv: "backend",
    html: "sub-URL",
  });
});

Deno.test("settings that say nothing share what is built in", () => {
  assert.equal(compiled({}, {}), builtInAnswers);
  assert.equal(compiled({ error_data: {} }, { error_templates: {} }, {}), builtInAnswers);
});

Deno.test("a status that no answer can have is that of the refusal", () => {
  for (const status_code of [204, 99, "404", 404.5]) {
    const answers = compiled({}, { error_data: { common: { status_code } } });
    assert.equal(answers.of("NOT_FOUND").status, 404);
  }
});
