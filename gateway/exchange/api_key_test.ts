import assert from "node:assert/strict";
import { basicUserName, masked, readApiKey, withoutApiKey, withoutApiKeyInUrl } from "./api_key.ts";

const all = ["header", "get_param", "basic_auth_username"] as const;

function read(headers: Record<string, string>, query: string | null = null) {
  return readApiKey({ headers: new Headers(headers), query }, all);
}

Deno.test("the header wins over the query, the query over the Basic user name", () => {
  const authorization = `Basic ${btoa("from-basic:")}`;
  const found = (headers: Record<string, string>, query: string | null) =>
    read(headers, query)?.key;
  assert.equal(found({ "x-api-key": "from-header", authorization }, "api_key=q"), "from-header");
  assert.equal(found({ authorization }, "api_key=from-query"), "from-query");
  assert.equal(found({ authorization }, "api_key="), "from-basic");
  assert.equal(found({}, null), undefined);
});

Deno.test("the first api_key argument counts, decoded, in any spelling of its name", () => {
  assert.equal(read({}, "a=1&api_key=one&api_key=two")?.key, "one");
  assert.equal(read({}, "api%5Fkey=o%6Ee")?.key, "one");
  assert.equal(read({}, "api_key_foo=x&foo_api_key=y&z=api_key"), null);
});

Deno.test("every api_key argument leaves the query, the rest stays byte for byte", () => {
  assert.equal(withoutApiKey("test=value&api_key=K&foo=bar"), "test=value&foo=bar");
  assert.equal(withoutApiKey("api_key&foo"), "foo");
  assert.equal(withoutApiKey("a=%61+b&&api%5fkey=K&c"), "a=%61+b&&c");
  assert.equal(withoutApiKey("api_key=K&api_key=L"), null);
  assert.equal(withoutApiKey("api_key_foo=1"), "api_key_foo=1");
  assert.equal(withoutApiKey(""), "");
});

Deno.test("a URL loses its api_key arguments and nothing else", () => {
  const url = "http://a/b?x=1&api_key=K&y#f?api_key=L";
  assert.equal(withoutApiKeyInUrl(url), "http://a/b?x=1&y#f?api_key=L");
  assert.equal(withoutApiKeyInUrl("http://a/b?api%5fkey=K#f"), "http://a/b#f");
  assert.equal(withoutApiKeyInUrl("http://a/api_key?"), "http://a/api_key?");
  assert.equal(withoutApiKeyInUrl("http://a/api"), "http://a/api");
});

Deno.test("a Basic header that is not Basic, not base64 or no text names nobody", () => {
  assert.equal(basicUserName(`bAsIc   ${btoa("user:pass")}`), "user");
  assert.equal(basicUserName(`Basic ${btoa("user")}`), "user");
  assert.equal(basicUserName(`Basic\t${btoa("user")}`), "user");
  for (const bad of ["Basic ***", "Bearer abc", "Basic", `Basic ${btoa("\x00\x01")}`, ""]) {
    assert.equal(basicUserName(bad), null, bad);
  }
  assert.equal(basicUserName(`Basic ${btoa(":secret")}`), null);
});

Deno.test("keys are masked wherever they stand in a logged text", () => {
  const key = "ptk_" + "a1B2c3".repeat(6);
  assert.equal(masked(`http://x/?api_key=${key}&a=1`), "http://x/?api_key=[removed]&a=1");
  assert.equal(masked(`/path/${key}/x`), "/path/ptk_[removed]/x");
  assert.equal(masked("https://r/?api_key=legacy"), "https://r/?api_key=[removed]");
  assert.equal(masked("plain"), "plain");
});
