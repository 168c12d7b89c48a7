import assert from "node:assert/strict";
import { oversized } from "./head_bounds.ts";

const bounds = { url: 10, header: 20, headers: 50 };

/** What is refused of a request with this URL and these headers. */
function refused(url: string, headers: Record<string, string> = {}): string | undefined {
  return oversized(url, Object.entries(headers), bounds)?.code;
}

Deno.test("path and query count, wherever they begin; scheme and host do not", () => {
  const host = "http://a.rather.long.example:8080";
  for (const target of ["/2345678/0", "/234?67890", "?234567890", ""]) {
    assert.equal(refused(host + target), undefined, target);
  }
  for (const target of ["/2345678/01", "/234?678901", "?2345678901"]) {
    assert.equal(refused(host + target), "URI_TOO_LONG", target);
  }
});

Deno.test("a header counts with its name and the signs around it", () => {
  assert.equal(refused("http://a/", { "x-a": "v".repeat(13) }), undefined);
  assert.equal(
    refused("http://a/", { "x-a": "v".repeat(14) }),
    "REQUEST_HEADER_FIELDS_TOO_LARGE",
  );
});

Deno.test("all headers together have a bound of their own", () => {
  const whole = { "x-a": "v".repeat(13), "x-b": "v".repeat(13), "x-c": "v".repeat(3) };
  assert.equal(refused("http://a/", whole), undefined);
  assert.equal(
    refused("http://a/", { ...whole, "x-c": "v".repeat(4) }),
    "REQUEST_HEADER_FIELDS_TOO_LARGE",
  );
});
