import assert from "node:assert/strict";
import { comesFrom, compileReferers } from "./referers.ts";

function allows(pattern: string, headers: Record<string, string>): boolean {
  return comesFrom(new Headers(headers), compileReferers([pattern]));
}

Deno.test("a page is allowed by its Referer, or by its Origin without the pattern's path", () => {
  const exact = "https://google.com/";
  assert.ok(allows(exact, { referer: "https://google.com/" }));
  assert.ok(allows(exact, { origin: "https://google.com" }));
  assert.ok(!allows(exact, { referer: "https://google.com" }));
  assert.ok(!allows(exact, { referer: "https://google.com/extra" }));
  assert.ok(allows(exact, { referer: "https://google.com/extra", origin: "https://google.com" }));
});

Deno.test("a call that names no page is allowed by no pattern, not even by a star", () => {
  assert.ok(!allows("*", {}));
  assert.ok(allows("*", { origin: "null" }));
});

Deno.test("the path that is cut off for origins is never a part of the scheme", () => {
  const everywhere = "*//example.org/*";
  assert.ok(allows(everywhere, { origin: "http://example.org" }));
  assert.ok(!allows(everywhere, { origin: "http://other.example" }));
  assert.ok(allows("*.example.org/*", { origin: "https://a.example.org" }));
  assert.ok(!allows("*.example.org/*", { origin: "https://example.com" }));
});

Deno.test("letters of both cases are alike", () => {
  assert.ok(allows("https://Example.org/*", { referer: "HTTPS://EXAMPLE.ORG/Page" }));
});
