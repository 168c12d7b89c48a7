import assert from "node:assert/strict";
import fc from "fast-check";
import { publicLocation, type Redirected } from "./location.ts";

const redirected: Redirected = {
  upstreamHost: "backend.example:8081",
  backendPrefix: "/inner/",
  frontendPrefix: "/api/",
  publicOrigin: (scheme) => `${scheme}://public.example${scheme === "http" ? ":8080" : ""}`,
  keyInQuery: null,
};

const mapped = (location: string, call: Partial<Redirected> = {}) =>
  publicLocation(location, { ...redirected, ...call });

Deno.test("a redirect to the backend's host leads to the public one, under the public prefix", () => {
  assert.equal(
    mapped("http://backend.example/inner/x?a=1#b"),
    "http://public.example:8080/api/x?a=1#b",
  );
  assert.equal(
    mapped("HTTPS://Backend.Example:9000/inner/"),
    "https://public.example/api/",
  );
  assert.equal(mapped("http://backend.example/other"), "http://public.example:8080/other");
  assert.equal(mapped("http://backend.example"), "http://public.example:8080/");
  assert.equal(
    mapped("http://backend.example?a=1", { backendPrefix: "/" }),
    "http://public.example:8080/api/?a=1",
  );
});

Deno.test("a redirect within the host gets the public prefix in place of the backend's", () => {
  assert.equal(mapped("/inner/x?a=1#b"), "/api/x?a=1#b");
  assert.equal(mapped("/other/x"), "/other/x");
  assert.equal(mapped("/inner"), "/inner");
});

Deno.test("a redirect that has the public prefix already keeps its path", () => {
  const root = { backendPrefix: "/" };
  assert.equal(mapped("/api/x", root), "/api/x");
  assert.equal(mapped("http://backend.example/api/x", root), "http://public.example:8080/api/x");
  assert.equal(mapped("/x", root), "/api/x");
});

Deno.test("the key goes along where the caller had it in its URL, on what was mapped alone", () => {
  const key = { keyInQuery: "a key&" };
  assert.equal(mapped("/inner/x", key), "/api/x?api_key=a%20key%26");
  assert.equal(mapped("/inner/x?a=1#b", key), "/api/x?a=1&api_key=a%20key%26#b");
  assert.equal(mapped("/inner/x?", key), "/api/x?api_key=a%20key%26");
  assert.equal(mapped("/inner/x?b&api_key=its", key), "/api/x?b&api_key=its");
  assert.equal(
    mapped("http://backend.example/other", key),
    "http://public.example:8080/other?api_key=a%20key%26",
  );
  assert.equal(
    mapped("/api/x", { backendPrefix: "/", ...key }),
    "/api/x?api_key=a%20key%26",
  );
  assert.equal(mapped("/other", key), "/other");
  assert.equal(mapped("http://elsewhere.example/inner/", key), "http://elsewhere.example/inner/");
});

Deno.test("what leads elsewhere, or cannot be told, stays as it is", () => {
  for (
    const location of [
      "",
      "x",
      "?a=1",
      "../x",
      "http://elsewhere.example/inner/x",
      "http://sub.backend.example/inner/x",
      "http://backend.example.evil.example/inner/x",
      "//backend.example/inner/x",
      "http://backend.example@evil.example/inner/",
      "http://user@backend.example/inner/",
      "http://backend.example\\@evil.example/inner/",
      "ftp://backend.example/inner/",
      "/inner/\tx",
      "/inner\\x",
      " /inner/x",
    ]
  ) assert.equal(mapped(location), location);
});

Deno.test("a path never turns into a host", () => {
  assert.equal(mapped("/inner//evil.example", { frontendPrefix: "/" }), "/inner//evil.example");
  assert.equal(
    mapped("http://backend.example/inner//evil.example", { frontendPrefix: "/" }),
    "http://public.example:8080//evil.example",
  );
});

Deno.test("a redirect leads to the host it named, or to the public one", () => {
  const piece = fc.constantFrom(
    ...["http:", "https:", "//", "/", "\\", "@", ":", ":81", "?", "#", "\t", ".", "..", "%2f", " "],
    ...["backend.example", "public.example", "evil.example", "inner", "api", "é", "javascript:"],
  );
  const location = fc.array(piece, { maxLength: 10 }).map((pieces) => pieces.join(""));
  const prefix = fc.constantFrom("/", "/inner", "/inner/", "/api/", "/inner/api/");
  const base = "http://public.example:8080/api/here";
  const hostOf = (url: string) => URL.parse(url, base)?.hostname;
  fc.assert(fc.property(location, prefix, prefix, (original, backendPrefix, frontendPrefix) => {
    const result = mapped(original, { backendPrefix, frontendPrefix, keyInQuery: "k" });
    const host = hostOf(result);
    assert.ok(host === hostOf(original) || host === "public.example", `${original} → ${result}`);
    if (hostOf(original) === "evil.example") assert.equal(result, original);
  }));
});
