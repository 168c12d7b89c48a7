import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { RecodedBody } from "./recoded_body.ts";

Deno.test("a body that comes again, out of the cache, is compressed once for each coding", () => {
  const body = new TextEncoder().encode("text ".repeat(500));
  const [first, second] = [new RecodedBody(body, "gzip"), new RecodedBody(body, "gzip")];
  assert.ok(first.body instanceof Uint8Array);
  assert.equal(second.body, first.body);
  assert.equal(second.responseBytes, first.body.length);
  assert.deepEqual(new Uint8Array(gunzipSync(first.body)), body);
  assert.notEqual(new RecodedBody(body, "br").body, first.body);
  assert.notEqual(new RecodedBody(body.slice(), "gzip").body, first.body);
});
