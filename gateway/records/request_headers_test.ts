import assert from "node:assert/strict";
import { requestHeaders } from "./request_headers.ts";
import { fieldErrors } from "./validate.ts";

function error(key: string, value: string): string | undefined {
  const [first] = fieldErrors(requestHeaders, [{ key, value }]);
  return first && `${first.field} ${first.message}`;
}

Deno.test("a header that is set has a plain value, a template, or none", () => {
  assert.equal(error("X-A", "plain"), undefined);
  assert.equal(error("X-A", "{{headers.x-b}}"), undefined);
  assert.equal(error("X-A", ""), undefined);
});

Deno.test("a Host that is set is one", () => {
  assert.equal(error("Host", "a.example:81"), undefined);
  for (const value of ["", "a b", "http://a.example", "a/b"]) {
    assert.match(error("hOST", value) ?? "", /^\[0\]\.value must be a host/, value);
  }
});

Deno.test("what would break the request's head is refused", () => {
  assert.match(error("X-A", "a\r\nX-B: 1") ?? "", /must be on one line/);
  assert.match(error("X-A", "\u20ac") ?? "", /in Latin-1 characters/);
  assert.match(error("X-A: 1", "") ?? "", /is not a valid header name/);
  assert.match(error("Content-Length", "0") ?? "", /the gateway has to write itself/);
});
