import assert from "node:assert/strict";
import { cacheKey, cacheSpace, partsOf } from "./key.ts";

function keyAt(
  authority: string,
  path: string,
  query: string | null = null,
  scheme: "http" | "https" = "https",
) {
  const host = authority.replace(/:\d+$/, "").toLowerCase();
  return cacheKey(cacheSpace("file A\nB", "1"), { scheme, host, authority, path, query });
}

Deno.test("a key holds the backend and the public URL in one spelling, without the API key", () => {
  const url = (...place: Parameters<typeof keyAt>) => partsOf(keyAt(...place)).url;
  assert.equal(partsOf(keyAt("a.example", "/")).backend, "file A\nB");
  assert.equal(url("A.Example:443", "/x", "b=1&api_key=k"), "https://a.example/x?b=1");
  assert.equal(url("a.example:80", "/x", "api_key=k"), "https://a.example:80/x");
  assert.equal(url("a.example:80", "/x", "", "http"), "http://a.example/x?");
  assert.equal(url("[::1]:8080", "/x"), "https://[::1]:8080/x");
});
