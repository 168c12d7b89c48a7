import assert from "node:assert/strict";
import { completedFields, settableFields } from "./record_input.ts";

Deno.test("fields that the server owns are left aside, others stay to be judged", () => {
  const sent = { id: "forged", name: "A", typo: 1 };
  assert.deepEqual(settableFields(sent, ["id"]), { name: "A", typo: 1 });
});

Deno.test("fields left out take the value they have; sent ones are taken whole, null too", () => {
  const current = { id: "1", name: "A", list: [1, 2], note: "x" };
  assert.deepEqual(
    completedFields(current, { id: "2", list: [3], note: null }, ["id"]),
    { name: "A", list: [3], note: null },
  );
});

Deno.test("anything but an object is passed on, for the validation to refuse", () => {
  for (const input of [null, undefined, [], "text", 7]) {
    assert.equal(settableFields(input, []), input);
    assert.equal(completedFields({ name: "A" }, input, []), input);
  }
});
