import assert from "node:assert/strict";
import fc from "fast-check";
import { generateApiKey } from "../keys/api_key.ts";
import { rewrite } from "./rewrite.ts";
import { type CallOptions, callWith } from "./testing.ts";

function sent(options: CallOptions) {
  const { target, headers } = rewrite(callWith(options));
  return {
    target,
    headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
  };
}

Deno.test("the frontend prefix is replaced, the rest of the path and the query are kept", () => {
  const options = { frontendPrefix: "/api/v1/", backendPrefix: "/internal/" };
  assert.equal(
    sent({ ...options, url: "http://a.example/api/v1/x//y%2Fz?a=1&&b=%20" }).target,
    "/internal/x//y%2Fz?a=1&&b=%20",
  );
});

Deno.test("the key leaves header, query and Basic, wherever it came from", () => {
  const key = generateApiKey();
  const { target, headers } = sent({
    url: `http://a.example/api/x?api_key=${key}&keep=1`,
    headers: { "x-api-key": key, authorization: `Basic ${btoa(`${key}:`)}` },
  });
  assert.equal(target, "/x?keep=1");
  assert.ok(![...headers].some(([, value]) => value.includes(key)));
  assert.equal(headers.get("authorization"), null);
});

Deno.test("the key leaves a Referer, and Authorization fields that came twice", () => {
  const key = generateApiKey();
  const basic = `Basic ${btoa(`${key}:`)}`;
  const { headers } = sent({
    headers: {
      "x-api-key": key,
      authorization: `${basic}, ${basic}`,
      referer: `http://a.example/api/page?api_key=${key}&keep=1`,
    },
  });
  assert.equal(headers.get("authorization"), null);
  assert.equal(headers.get("referer"), "http://a.example/api/page?keep=1");
});

Deno.test("joined credentials of another scheme than Basic are passed on", () => {
  const authorization = 'Digest username="basic", uri="/a, b"';
  assert.equal(sent({ headers: { authorization } }).headers.get("authorization"), authorization);
});

Deno.test("no caller can name another path, or pass for a proxy of ours", () => {
  const forged = {
    "x-original-url": "/admin",
    "x_rewrite_url": "/admin",
    "x-forwarded-user": "root",
    "x_forwarded.ssl": "on",
  };
  const { headers } = sent({ headers: forged });
  for (const name of Object.keys(forged)) assert.equal(headers.get(name), null, name);
});

Deno.test("a caller's own Basic credentials are passed on when the key came another way", () => {
  const authorization = `Basic ${btoa("their:own")}`;
  const { headers } = sent({ headers: { "x-api-key": "k", authorization } });
  assert.equal(headers.get("authorization"), authorization);
});

Deno.test("the holder's id and roles go to the upstream, and only the gateway can say them", () => {
  const forged = { "x-api-user-id": "forged", "x_api_roles": "forged", "x.api.user.id": "forged" };
  const known = sent({ headers: forged, holder: { id: "u-1", roles: new Set(["a", "b"]) } });
  assert.equal(known.headers.get("x-api-user-id"), "u-1");
  assert.equal(known.headers.get("x-api-roles"), "a,b");
  const nobody = sent({ headers: forged, holder: null });
  assert.ok(![...nobody.headers].some(([, value]) => value === "forged"));
});

Deno.test("headers of the settings replace the caller's, whatever their case", () => {
  const settings = { headers: [{ key: "X-Mine", value: "ours" }, { key: "Host", value: "set" }] };
  const { headers } = sent({ settings, headers: { "x-mine": "theirs" } });
  assert.equal(headers.get("x-mine"), "ours");
  assert.equal(headers.get("host"), "set");
});

Deno.test("property: no header a caller can send survives under one of the gateway's names", () => {
  const ours = ["x-api-user-id", "x-api-roles", "x-forwarded-for", "x-real-ip", "x-request-id"];
  const spelling = fc.constantFrom(...ours).chain((name) =>
    fc.array(fc.constantFrom(..."-_.~|!#$%&'*+^`"), { minLength: 4, maxLength: 4 }).map((marks) => {
      let mark = 0;
      return name.replace(/-/g, () => marks[mark++] ?? "-");
    })
  );
  fc.assert(fc.property(fc.array(spelling, { minLength: 1, maxLength: 5 }), (names) => {
    const headers = Object.fromEntries(names.map((name) => [name, "forged"]));
    const { headers: outgoing } = sent({ headers, holder: null });
    assert.ok(![...outgoing].some(([, value]) => value.includes("forged")));
  }));
});
