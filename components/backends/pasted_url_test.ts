import assert from "node:assert/strict";
import { hostAdvice, pastedUrl } from "./pasted_url.ts";

Deno.test("a pasted URL is told apart into what belongs into the field and what does not", () => {
  assert.deepEqual(pastedUrl(" http://127.0.0.1:18491/ "), {
    scheme: "http://",
    host: "127.0.0.1",
    port: "18491",
    path: "/",
  });
  assert.equal(pastedUrl("https://[::1]:8443/v1?x")?.host, "[::1]");
});

Deno.test("a host alone is no pasted URL, and neither is what has no host", () => {
  for (const text of ["api.internal", "::1", "[::1]", "", "not a host", "http://"]) {
    assert.equal(pastedUrl(text), null, text);
  }
});

Deno.test("the advice names what is too much, and where the port belongs", () => {
  assert.equal(
    hostAdvice("http://127.0.0.1:18491/", true),
    "without “http://” and path: 127.0.0.1, and the port in its own field",
  );
  assert.equal(hostAdvice("https://api.example", false), "without “https://”: api.example");
  assert.equal(hostAdvice("a.b:80", true), "without port: a.b, and the port in its own field");
  assert.equal(hostAdvice("api.example", true), null);
});
