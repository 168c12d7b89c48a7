import assert from "node:assert/strict";
import { askedFor, cacheKey, cacheSpace, partsOf } from "./key.ts";

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

Deno.test("what the backend is told of host and port tells answers apart, in every spelling", () => {
  const asked = (authority: string, port: string | null = null) =>
    askedFor({ host: "a.example", authority, forwarding: { port } }, "/x");
  const all = [
    asked("a.example"),
    asked("A.example"),
    asked("a.example."),
    asked("a.example:80"),
    asked("a.example", "8080"),
  ];
  assert.equal(new Set(all).size, all.length);
  assert.equal(all[0], "/x");
});
