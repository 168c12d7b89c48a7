import assert from "node:assert/strict";
import type { HeaderFields } from "../exchange/header_fields.ts";
import { type CachingRules, freshnessOf, variedBy } from "./storable.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const none: CachingRules = { defaultLifetime: null, strippedCookies: [] };
const at = (time: number) => new Date(time).toUTCString();

function freshness(
  headers: HeaderFields,
  status = 200,
  rules: Partial<CachingRules> = {},
  askedAt = now,
) {
  return freshnessOf(status, headers, { ...none, ...rules }, now, askedAt);
}

/** In seconds; null when it must not be stored. */
function lifetime(...headers: HeaderFields): number | null {
  return freshness(headers)?.lifetime ?? null;
}

Deno.test("an answer that says nothing is not kept, unless a setting says how long", () => {
  assert.equal(freshness([["etag", '"1"'], ["last-modified", at(now - 1e9)]]), null);
  for (const status of [200, 203, 301, 404, 410]) {
    assert.equal(freshness([], status, { defaultLifetime: 9 })?.lifetime, 9, String(status));
  }
  assert.equal(freshness([], 300, { defaultLifetime: 9 }), null);
  const stated: HeaderFields = [["cache-control", "max-age=5"]];
  assert.equal(freshness(stated, 200, { defaultLifetime: 9 })?.lifetime, 5);
});

Deno.test("Surrogate-Control goes before s-maxage, that before max-age, that before Expires (§4.2.1)", () => {
  const expires = ["expires", at(now + 4000)] as const;
  assert.equal(lifetime(expires), 4);
  assert.equal(lifetime(expires, ["cache-control", "max-age=3"]), 3);
  assert.equal(lifetime(expires, ["cache-control", "max-age=3, s-maxage=2"]), 2);
  const surrogate = ["surrogate-control", "max-age=1"] as const;
  assert.equal(lifetime(surrogate, ["cache-control", "max-age=3, s-maxage=2"]), 1);
  assert.equal(lifetime(surrogate, ["cache-control", "private, no-store"]), 1);
  assert.equal(lifetime(["surrogate-control", "no-store"], ["cache-control", "max-age=3"]), null);
  assert.equal(lifetime(["surrogate-control", 'content="x"'], ["cache-control", "max-age=3"]), 3);
});

Deno.test("Expires counts from Date; what is no date has expired (§5.3)", () => {
  assert.equal(lifetime(["date", at(now - 2000)], ["expires", at(now + 4000)]), 6);
  assert.equal(lifetime(["expires", "0"]), 0);
  assert.equal(lifetime(["expires", at(now - 1000)]), 0);
  assert.equal(lifetime(["expires", at(now + 4000)], ["expires", at(now + 9000)]), 0);
});

Deno.test("no-store, private and no-cache keep an answer out, with names of fields too (§5.2.2)", () => {
  for (
    const word of ["no-store", "private", "no-cache", 'private="x"', 'no-cache="x"', "PRIVATE"]
  ) {
    assert.equal(lifetime(["cache-control", `max-age=60, ${word}`]), null, word);
    assert.equal(lifetime(["cache-control", "max-age=60"], ["cache-control", word]), null, word);
  }
});

Deno.test("cookies, a challenge, Vary: * and a part are for nobody else (§3, §4.1)", () => {
  const fresh = ["cache-control", "public, max-age=60"] as const;
  for (
    const field of [
      ["set-cookie", "session=1"],
      ["www-authenticate", "Basic"],
      ["vary", "*"],
      ["vary", "accept, *"],
      ["content-range", "bytes 0-1/2"],
    ] as const
  ) {
    assert.equal(lifetime(fresh, field), null, field.join(": "));
  }
});

Deno.test("cookies may be left out if each is one of those that may", () => {
  const rules = { strippedCookies: [/^lb_/, /^theme=dark$/] };
  const fresh = ["cache-control", "max-age=60"] as const;
  const cookies = (...values: string[]): HeaderFields => [
    fresh,
    ...values.map((value) => ["set-cookie", value] as const),
  ];
  assert.ok(freshness(cookies("lb_a=1; Path=/"), 200, rules));
  assert.ok(freshness(cookies("lb_a=1", "lb_b=2", "theme=dark"), 200, rules));
  assert.equal(freshness(cookies("lb_a=1", "session=2"), 200, rules), null);
  assert.equal(freshness(cookies("theme=light"), 200, rules), null);
});

Deno.test("statuses whose meaning is whole and the same for all are kept", () => {
  const fresh: HeaderFields = [["cache-control", "max-age=60"]];
  for (const status of [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]) {
    assert.ok(freshness(fresh, status), String(status));
  }
  for (const status of [206, 302, 303, 304, 307, 400, 401, 403, 429, 500, 502, 503, 504]) {
    assert.equal(freshness(fresh, status), null, String(status));
  }
});

Deno.test("an answer is as old as its Date, its Age and its way say (§4.2.3)", () => {
  const age = (headers: HeaderFields, askedAt = now) =>
    freshness([["cache-control", "max-age=60"], ...headers], 200, {}, askedAt)?.initialAge;
  assert.equal(age([]), 0);
  assert.equal(age([["age", "7"]]), 7);
  assert.equal(age([["age", "7"]], now - 3000), 10);
  assert.equal(age([["date", at(now - 20_000)], ["age", "7"]]), 20);
  assert.equal(age([["date", at(now + 20_000)]]), 0);
  assert.equal(age([["age", "old"]]), 0);
});

Deno.test("what an answer varies by is what the request had of it", () => {
  const request: HeaderFields = [["accept", "a"], ["accept", "b"], ["x", "1"]];
  assert.deepEqual(variedBy([["vary", "Accept, X-None"], ["vary", "ACCEPT"]], request), [
    ["accept", "a, b"],
    ["x-none", null],
  ]);
});
