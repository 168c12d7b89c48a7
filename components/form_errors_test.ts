import assert from "node:assert/strict";
import { errorAlone, errorOf, errorSentence, fieldId } from "./form_errors.ts";

Deno.test("a nested field has an id that a link can point at", () => {
  assert.equal(fieldId("email"), "field-email");
  assert.equal(fieldId("servers[0].host"), "field-servers-0-host");
  assert.equal(fieldId("settings.required_roles[2]"), "field-settings-required_roles-2");
});

Deno.test("a field shows its first error, and none when only others are wrong", () => {
  const errors = [
    { code: "INVALID_INPUT", message: "is too long", field: "name" },
    { code: "INVALID_INPUT", message: "is odd", field: "name" },
    { code: "CONFLICT", message: "Somebody else was faster." },
  ];
  assert.equal(errorOf(errors, "name"), "is too long");
  assert.equal(errorOf(errors, "email"), undefined);
});

Deno.test("a message that needs its field's name gets it", () => {
  assert.equal(errorSentence("can't be blank", "Name"), "Name can't be blank.");
});

Deno.test("a message about one item of a field names the field where that is not beside it", () => {
  const message = "“home” must be an IP address";
  assert.equal(errorSentence(message, "Allowed"), "“home” must be an IP address.");
  assert.equal(errorAlone(message, "Allowed"), "Allowed: “home” must be an IP address.");
  assert.equal(errorAlone("can't be blank", "Name"), "Name can't be blank.");
});

Deno.test("a message that is a sentence already is left alone", () => {
  assert.equal(
    errorSentence("Provide your email address.", "Email"),
    "Provide your email address.",
  );
  assert.equal(
    errorSentence("Must have at least one servers", "Servers"),
    "Must have at least one servers.",
  );
});
