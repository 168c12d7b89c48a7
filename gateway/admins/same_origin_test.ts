import assert from "node:assert/strict";
import type { ClientFacts } from "../exchange/client.ts";
import { crossOrigin, sameOrigin } from "./same_origin.ts";

const client: ClientFacts = {
  address: "192.0.2.1",
  scheme: "http",
  host: "api.example.com:8080",
  baseUrl: "https://api.example.com",
  requestId: "r",
  direct: false,
};

function verdict(headers: HeadersInit) {
  const request = new Request("http://api.example.com:8080/admin/", { headers });
  return { same: sameOrigin(request, client), cross: crossOrigin(request, client) };
}

Deno.test("the browser's own word decides: same-origin and none are ours, all else is not", () => {
  for (const site of ["same-origin", "none"]) {
    assert.deepEqual(verdict({ "sec-fetch-site": site }), { same: true, cross: false });
  }
  for (const site of ["cross-site", "same-site", "", "Same-Origin, cross-site"]) {
    assert.deepEqual(verdict({ "sec-fetch-site": site }), { same: false, cross: true });
  }
});

Deno.test("without it Origin must be this server's, as the visitor or base_url names it", () => {
  for (const origin of ["http://api.example.com:8080", "https://api.example.com"]) {
    assert.deepEqual(verdict({ origin }), { same: true, cross: false }, origin);
  }
  const foreign = [
    "https://evil.example",
    "http://api.example.com",
    "https://api.example.com.evil.example",
    "https://api.example.com, https://evil.example",
    "null",
    "",
    "file://",
  ];
  for (const origin of foreign) {
    assert.deepEqual(verdict({ origin }), { same: false, cross: true }, origin);
  }
});

Deno.test("with neither, it is not known to be ours, nor to be another site's", () => {
  assert.deepEqual(verdict({}), { same: false, cross: false });
  assert.deepEqual(verdict({ referer: "http://api.example.com:8080/" }), {
    same: false,
    cross: false,
  });
});
