/** Whatever is sent, the answer is the caller's fault or a success, never a 5xx. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ClientFacts } from "../exchange/client.ts";
import { handleApi } from "./handle_api.ts";
import { operations } from "./operations.ts";
import { withSignedIn } from "./testing.ts";

const client: ClientFacts = {
  address: "192.0.2.1",
  scheme: "http",
  host: "localhost",
  baseUrl: "http://localhost",
  requestId: "r",
  direct: true,
};

const segment = fc.oneof(
  fc.constantFrom("x", "%00", "%ff", "%E2%82%AC", "{id}", "a%2Fb", "__proto__", "."),
  fc.string().map(encodeURIComponentSafely),
);
// Signing in is left out: so many attempts would fill the queue, which is a 503 by design.
const path = fc.oneof(
  fc.tuple(
    fc.constantFrom(...operations.map((one) => one.path).filter((one) => one !== "/v1/login")),
    segment,
  ).map(([pattern, id]) => pattern.replace(/\{\w+\}/, id)),
  fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`),
);
const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");

/** Field names that mean something, so that values get past the first check. */
const name = fc.constantFrom(
  ...["name", "servers", "host", "port", "url_matches", "frontend_prefix", "settings", "roles"],
  ...["email", "first_name", "last_name", "rate_limits", "duration", "limit", "ids", "note"],
  ...["headers", "key", "value", "enabled", "version", "id", "__proto__", "constructor"],
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, 0, -1, 1e308, "", "x", "/", "http", "\ud800", "\u0000", "*"),
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 6 }),
  ),
}));
const body = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.dictionary(name, value, { maxKeys: 8 }).map((one) => JSON.stringify(one)),
  },
  { weight: 1, arbitrary: value.map((one) => JSON.stringify(one)) },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
);
const query = fc.dictionary(
  fc.oneof(
    fc.constantFrom("limit", "cursor", "search", "start_at", "end_at", "request_at"),
    fc.constantFrom("response_status", "request_path", "x"),
  ),
  fc.oneof(
    fc.string(),
    fc.constantFrom("0", "-1", "1..", "!*", ">=", "2030-01-01", "9".repeat(40)),
  ),
  { maxKeys: 4 },
);
const ifMatch = fc.option(fc.constantFrom('"1"', "*", 'W/"1"', "", "x"), { nil: undefined });

Deno.test("no path, query, header or body is answered with a 5xx", () =>
  withSignedIn(async ({ portico, token, lines }) => {
    const property = fc.asyncProperty(
      method,
      path,
      query,
      body,
      ifMatch,
      async (method, path, query, body, ifMatch) => {
        const url = `http://localhost/admin/api${path}?${new URLSearchParams(query)}`;
        const response = await handleApi(
          portico,
          new Request(url, {
            method,
            headers: {
              authorization: `Bearer ${token}`,
              ...(ifMatch !== undefined && { "if-match": ifMatch }),
            },
            body: method === "GET" || method === "HEAD" ? null : body,
          }),
          client,
        );
        const text = await response.text();
        assert.ok(response.status < 500, `${response.status} ${text} ${lines.at(-1)}`);
        if (response.status >= 400 && method !== "HEAD") {
          assert.ok(JSON.parse(text).errors.length > 0);
        }
      },
    );
    await fc.assert(property, { numRuns: 1500 });
    assert.deepEqual(lines, []);
  }));

/** `encodeURIComponent` throws on half a surrogate pair. */
function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
