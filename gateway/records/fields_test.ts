import assert from "node:assert/strict";
import * as v from "valibot";
import { pathPrefix, requiredText, role } from "./fields.ts";

const accepts = (schema: v.GenericSchema, value: unknown) => v.safeParse(schema, value).success;

Deno.test("half a character is no text: a prefix with one could not be compiled", () => {
  assert.ok(accepts(requiredText(20), "Zoë 😀"));
  assert.ok(!accepts(requiredText(20), "a\ud800"));
  assert.ok(!accepts(pathPrefix, "/\udc00/"));
});

Deno.test("a role fits in a header that lists several", () => {
  for (const fine of ["admin", "read write", "Größe", "a:b/c"]) {
    assert.ok(accepts(role, fine), fine);
  }
  for (const bad of ["a,admin", "a\r\nX-Evil: 1", "a\0", "€", ""]) {
    assert.ok(!accepts(role, bad), JSON.stringify(bad));
  }
});
