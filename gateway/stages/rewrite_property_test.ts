// deno-lint-ignore-file no-control-regex -- control characters are what is taken out
/**
 * Whatever a caller sends, through whatever settings, there goes out one request, to the
 * host it was meant for, with the headers that somebody entitled to has put there.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { generateApiKey } from "../keys/api_key.ts";
import type { WrittenRewrite } from "../rewriting/rewrite_rules.ts";
import { formatRequestHead } from "../upstream/request_head.ts";
import { rewrite } from "./rewrite.ts";
import { type CallOptions, callWith } from "./testing.ts";

const USER = "018f0000-0000-7000-8000-00000000abcd";

/** What breaks parsers that are less strict than they should be, in any place. */
const nasty = fc.constantFrom(
  ...["\r\n", "\n", "\0", "\x85", "\t", " ", ":", ";", ",", "%0d%0a", "%00", "%", "\\", "//", "?"],
  ...["#", "&", "=", "+", "..", "/../", "{{", "}}", "{{{headers.cookie}}}", "$1", "\xe9", "\u20ac"],
  ...["Host: evil.example", "X-Api-User-Id: forged", "http://evil.example/", "evil", "<b>", '"'],
  ..."ab1-._~!*'()",
);
const text = fc.array(nasty, { maxLength: 8 }).map((pieces) => pieces.join(""));

/** As far as an HTTP server lets them through: bytes without CR, LF and NUL. */
const fieldValue = text.map((value) => value.replace(/[\r\n\0]|[^\x00-\xff]/g, ""));
const pathText = text.map((value) => value.replace(/[\x00-\x20\x7f?#]/g, ""));
const queryText = text.map((value) => value.replace(/[\x00-\x20\x7f#]/g, ""));

const fieldName = fc.constantFrom(
  ...[
    "x-in",
    "cookie",
    "referer",
    "authorization",
    "x-api-user-id",
    "x_api_user_id",
    "x.api.roles",
  ],
  ...["x-forwarded-host", "x~real~ip", "accept-encoding", "forwarded", "x-api-umbrella-real-ip"],
  ...["te", "upgrade", "proxy-authorization", "expect", "range", "x-api-key"],
);

const connection = fc.constantFrom(
  ...[
    "keep-alive",
    "close",
    "upgrade",
    "x-api-user-id, host",
    "X-Forwarded-For,x-in",
    "te,, x-set",
  ],
);

const caller = fc.record({
  path: pathText,
  query: fc.option(queryText),
  headers: fc.dictionary(fieldName, fieldValue, { maxKeys: 6 }),
  connection: fc.option(connection),
  isKnown: fc.boolean(),
});

const template = fc.constantFrom(
  ...["{{headers.x-in}}", "{{{headers.x-in}}}", "a {{&headers.cookie}} b", "{{headers.referer}}"],
  ...[
    "{{#headers.x-in}}{{{.}}}{{/headers.x-in}}",
    "{{^headers.x-in}}none{{/headers.x-in}}",
    "fixed",
  ],
  ...["{{{headers.authorization}}}", "{{{headers.x-api-key}}}", "{{headers.x-forwarded-host}}", ""],
);

const written: fc.Arbitrary<WrittenRewrite> = fc.oneof(
  fc.record({
    matcher_type: fc.constant("route"),
    http_method: fc.constantFrom("any", "GET"),
    frontend_matcher: fc.constantFrom("/*all", "/:a", "/*all?q=:q", "/x*all?"),
    backend_replacement: fc.constantFrom("/r", "/r?x=1"),
  }),
  fc.record({
    matcher_type: fc.constant("route"),
    http_method: fc.constant("any"),
    frontend_matcher: fc.constant("/*all?q=:q"),
    backend_replacement: fc.constantFrom(
      ...["{{all}}", "/{{q}}/{{all}}", "{{q}}", "/x?{{all}}={{q}}", "/x?q={{{q}}}&{{&all}}"],
    ),
  }),
  fc.record({
    matcher_type: fc.constant("regex"),
    http_method: fc.constant("any"),
    frontend_matcher: fc.constantFrom("^/(.*)$", "(.)", "/", "^/(.*?)[?](.*)$", "%|/", "^.*$"),
    backend_replacement: fc.constantFrom(
      ...["$0", "$0 $0", "http://evil.example$0", "é\u20ac#", "%", " ", "//$0"],
    ),
  }),
);

const backend = fc.record({
  headers: fc.array(
    fc.record({ key: fc.constantFrom("X-Set", "X-In", "Cookie", "Referer"), value: template }),
    { maxLength: 3 },
  ),
  append_query_string: fc.constantFrom(null, "q=1", "x=a&b"),
  http_basic_auth: fc.constantFrom(null, "user:pässwörd €"),
  pass_api_key_header: fc.boolean(),
  pass_api_key_query_param: fc.boolean(),
});

interface Parsed {
  readonly line: string;
  readonly fields: readonly [name: string, value: string][];
}

/** Reads a head as leniently as the sloppiest server: any of CR, LF and NUL ends a line. */
function parse(head: string): Parsed {
  assert.ok(head.endsWith("\r\n\r\n"));
  const [line = "", ...fields] = head.slice(0, -4).split(/\r\n|[\r\n\0]/);
  return {
    line,
    fields: fields.map((field) => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
    }),
  };
}

/** Null for a request that is refused before anything is decided on it. */
function callOrRefused(options: CallOptions) {
  try {
    return callWith(options);
  } catch (error) {
    if (error instanceof Error && /^The path holds/.test(error.message)) return null;
    throw error;
  }
}

Deno.test("property: no bytes of a caller make a header, a second request or another host", () => {
  const rewrites = fc.array(written, { maxLength: 3 });
  let sent = 0;
  fc.assert(
    fc.property(caller, backend, rewrites, (caller, settings, rewrites) => {
      const { path, query, headers, connection, isKnown } = caller;
      const call = callOrRefused({
        url: `http://a.example/api/${path}${query === null ? "" : `?${query}`}`,
        headers: { ...headers, ...(connection === null ? {} : { connection }) },
        holder: isKnown ? { id: USER } : null,
        settings,
        rewrites,
        stripCookies: ["^__utm"],
      });
      const outgoing = call === null ? null : rewrite(call);
      if (outgoing === null || !("target" in outgoing)) return;
      sent++;

      const { line, fields } = parse(formatRequestHead({
        ...outgoing,
        body: null,
        bodyLength: null,
        clientAddress: "192.0.2.1",
        timeouts: { connect: 1, read: 1, send: 1, total: null },
      }));
      assert.match(line, /^GET \/[^ ]* HTTP\/1\.1$/);
      assert.equal(fields.length, outgoing.headers.length);

      const values = (name: string) =>
        fields.filter(([other]) => other.replace(/[^a-z0-9]/g, "-") === name).map(([, v]) => v);
      assert.deepEqual(values("host"), ["a.example"]);
      assert.deepEqual(values("x-forwarded-host"), ["a.example"]);
      assert.deepEqual(values("x-api-user-id"), isKnown ? [USER] : []);
      for (const name of ["x-api-roles", "x-real-ip", "forwarded", "x-api-umbrella-real-ip"]) {
        assert.deepEqual(values(name), [], name);
      }
      const passed = new Set(["x-in", "cookie", "referer", "authorization", "range"]);
      const ours = /^(host|x-set|x-api-key|x-api-user-id|x-request-id|x-forwarded-[a-z]+)$/;
      for (const [name] of fields) {
        assert.ok(passed.has(name) || ours.test(name) || name === "accept-encoding", name);
      }
      assert.equal(new Set(fields.map(([name]) => name)).size, fields.length);
    }),
    { numRuns: 3000 },
  );
  assert.ok(sent > 1000, `only ${sent} were sent`);
});

Deno.test("property: no key goes out where the backend does not ask for it", () => {
  const KEY = generateApiKey();
  const places = fc.record({
    header: fc.boolean(),
    query: fc.constantFrom("", `?api_key=${KEY}`, `?q=1&api%5Fkey=${KEY}&x=2`),
    basic: fc.boolean(),
  });
  const rewrites = fc.array(written, { maxLength: 2 });
  const headers = fc.array(fc.record({ key: fc.constantFrom("X-Set", "X-In"), value: template }));
  fc.assert(fc.property(places, rewrites, headers, (places, rewrites, headers) => {
    const call = callWith({
      url: `http://a.example/api/x${places.query}`,
      headers: {
        ...(places.header ? { "x-api-key": KEY } : {}),
        ...(places.basic ? { authorization: `Basic ${btoa(`${KEY}:`)}` } : {}),
      },
      settings: { headers },
      rewrites,
    });
    const outgoing = JSON.stringify(rewrite(call));
    assert.ok(!outgoing.includes(KEY) && !outgoing.includes(btoa(`${KEY}:`)), outgoing);
  }));
});
