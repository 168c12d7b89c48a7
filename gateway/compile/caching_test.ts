import assert from "node:assert/strict";
import { type CallOptions, callWith } from "../stages/testing.ts";
import type { BackendInput } from "../records/backend.ts";
import { compileCacheSpace } from "./caching.ts";

const cachingWith = (settings: NonNullable<CallOptions["settings"]>) =>
  callWith({ settings }).settings.caching;

Deno.test("a backend keeps what says how long it is fresh, and more by a setting", () => {
  assert.equal(cachingWith({})?.defaultLifetime, null);
  assert.equal(cachingWith({ cache_mode: "explicit" })?.defaultLifetime, null);
  assert.equal(cachingWith({ cache_max_age_seconds: 60 })?.defaultLifetime, 60);
});

Deno.test("nothing is kept where it is off, or where the backend gets what one caller alone has", () => {
  for (
    const settings of [
      { cache_mode: "off", cache_max_age_seconds: 60 },
      { pass_api_key_header: true },
      { pass_api_key_query_param: true },
      { headers: [{ key: "Authorization", value: "Bearer {{headers.x-token}}" }] },
      { headers: [{ key: "X-Session", value: "{{headers.cookie}}" }] },
      {
        headers: [{
          key: "X-Auth",
          value: "{{#headers.authorization}}yes{{/headers.authorization}}",
        }],
      },
    ] as const
  ) {
    assert.equal(
      cachingWith({ ...settings } as NonNullable<CallOptions["settings"]>),
      null,
      JSON.stringify(settings),
    );
  }
  assert.ok(cachingWith({ http_basic_auth: "portico:secret" }));
  assert.ok(cachingWith({ headers: [{ key: "Authorization", value: "Bearer constant" }] }));
  assert.ok(cachingWith({ headers: [{ key: "X-Agent", value: "{{headers.user-agent}}" }] }));
});

Deno.test("a backend that has changed, or the defaults, find no answers from before", () => {
  const of = (source: object, defaults = "defaults", backend = "backend") =>
    compileCacheSpace(backend, source as BackendInput, defaults);
  assert.equal(of({ version: 1, name: "A" }), of({ version: 1, name: "A" }));
  const spaces = [
    of({ version: 1 }),
    of({ version: 2 }),
    of({ version: 1 }, "others"),
    of({ version: 1 }, "defaults", "another"),
    of({ name: "A" }),
    of({ name: "B" }),
  ];
  assert.equal(new Set(spaces).size, spaces.length);
});
