import assert from "node:assert/strict";
import * as v from "valibot";
import { host, pathPrefix, requiredText, role } from "./fields.ts";

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

Deno.test("a server's host is a host alone: the port has a field of its own", () => {
  for (const fine of ["example.com", "10.0.0.1", "localhost", "::1", "[2001:db8::1]"]) {
    assert.ok(accepts(host, fine), fine);
  }
  for (
    const bad of ["example.com:80", "10.0.0.1:3000", "a:b", "[::1]:80", "*.example.com", "a/b"]
  ) {
    assert.ok(!accepts(host, bad), bad);
  }
});
