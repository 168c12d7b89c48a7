import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { AnswerHead } from "./answer.ts";
import { present } from "./present.ts";
import { NO_CONDITIONS } from "./request.ts";

const MODIFIED = "Sun, 06 Nov 1994 08:49:37 GMT";
const LATER = "Sun, 06 Nov 1994 08:49:38 GMT";
const EARLIER = "Sun, 06 Nov 1994 08:49:36 GMT";

const stored: AnswerHead = {
  key: "key",
  target: "/",
  vary: [],
  status: 200,
  headers: [["content-type", "text/plain"], ["etag", '"one"'], ["last-modified", MODIFIED]],
  receivedAt: 0,
  initialAge: 0,
  lifetime: 60,
};

function presented(
  conditions: Partial<typeof NO_CONDITIONS>,
  more: Partial<AnswerHead> = {},
  request: { method?: "GET" | "HEAD"; headers?: HeaderFields } = {},
) {
  const { status, headers, body } = present(
    { ...stored, ...more },
    new Uint8Array(Buffer.from("0123456789")),
    { method: "GET", headers: [], conditions: { ...NO_CONDITIONS, ...conditions }, ...request },
    [["age", "5"]],
  );
  return {
    status,
    fields: Object.fromEntries(headers),
    body: body === null ? null : Buffer.from(body).toString(),
  };
}

Deno.test("without conditions the whole is given, with the fields of the cache", () => {
  const { status, fields, body } = presented({});
  assert.deepEqual([status, fields.age, body], [200, "5", "0123456789"]);
});

Deno.test("If-None-Match is compared weakly, with each tag and * (RFC 9110 §13.1.2)", () => {
  for (const ifNoneMatch of ['"one"', 'W/"one"', '"a", "one"', '"a,b",W/"one"', "*"]) {
    const { status, fields, body } = presented({ ifNoneMatch });
    assert.deepEqual([status, body], [304, null], ifNoneMatch);
    assert.equal(fields.etag, '"one"');
    assert.equal(fields["content-type"], undefined);
  }
  for (const ifNoneMatch of ['"two"', "one", '"a,one"', ""]) {
    assert.equal(presented({ ifNoneMatch }).status, 200, ifNoneMatch);
  }
});

Deno.test("If-Modified-Since counts where there is no If-None-Match (§13.1.3)", () => {
  assert.equal(presented({ ifModifiedSince: MODIFIED }).status, 304);
  assert.equal(presented({ ifModifiedSince: LATER }).status, 304);
  assert.equal(presented({ ifModifiedSince: EARLIER }).status, 200);
  assert.equal(presented({ ifModifiedSince: "yesterday" }).status, 200);
  assert.equal(presented({ ifModifiedSince: LATER, ifNoneMatch: '"two"' }).status, 200);
  const dated = { headers: [["date", MODIFIED]] as [string, string][] };
  assert.equal(presented({ ifModifiedSince: MODIFIED }, dated).status, 304, "RFC 9111 §4.3.2");
});

Deno.test("what is no success has nothing that could be new (§13.2.1)", () => {
  assert.equal(presented({ ifNoneMatch: "*" }, { status: 404 }).status, 404);
  assert.equal(presented({ range: "bytes=0-0" }, { status: 404 }).status, 404);
});

Deno.test("one range of bytes is a part (§14.2)", () => {
  for (
    const [range, body, contentRange] of [
      ["bytes=0-0", "0", "bytes 0-0/10"],
      ["bytes=7-", "789", "bytes 7-9/10"],
      ["bytes=7-99", "789", "bytes 7-9/10"],
      ["bytes=-2", "89", "bytes 8-9/10"],
      ["bytes=-99", "0123456789", "bytes 0-9/10"],
      ["Bytes= 1-2 ", "12", "bytes 1-2/10"],
    ] as const
  ) {
    const part = presented({ range });
    assert.deepEqual([part.status, part.body], [206, body], range);
    assert.equal(part.fields["content-range"], contentRange);
    assert.equal(part.fields["content-type"], "text/plain");
  }
});

Deno.test("a range with nothing in it is answered with 416 (§15.5.17)", () => {
  for (const range of ["bytes=10-", "bytes=99-100", "bytes=-0"]) {
    const { status, fields, body } = presented({ range });
    assert.deepEqual([status, fields["content-range"], body], [416, "bytes */10", null], range);
  }
});

Deno.test("several ranges, other units and what is no range give the whole", () => {
  for (
    const range of ["bytes=0-1,3-4", "items=0-1", "bytes=2-1", "bytes=a-b", "bytes=-", "bytes"]
  ) {
    const { status, body } = presented({ range });
    assert.deepEqual([status, body], [200, "0123456789"], range);
  }
});

Deno.test("If-Range is compared strongly (§13.1.5)", () => {
  const part = (ifRange: string, more: Partial<AnswerHead> = {}) =>
    presented({ range: "bytes=0-0", ifRange }, more).status;
  assert.equal(part('"one"'), 206);
  assert.equal(part(MODIFIED), 206);
  for (const ifRange of ['"two"', 'W/"one"', LATER, EARLIER]) assert.equal(part(ifRange), 200);
  assert.equal(part('W/"one"', { headers: [["etag", 'W/"one"']] }), 200);
});

Deno.test("a part of a coded answer is for those who take the coding", () => {
  const coded: Partial<AnswerHead> = { headers: [["content-encoding", "gzip"]] };
  const headers: HeaderFields = [["accept-encoding", "gzip"]];
  assert.equal(presented({ range: "bytes=0-0" }, coded, { headers }).status, 206);
  assert.equal(presented({ range: "bytes=0-0" }, coded).status, 200);
});

Deno.test("HEAD is told the length, and of no part", () => {
  const { status, fields, body } = presented({ range: "bytes=0-0" }, {}, { method: "HEAD" });
  assert.deepEqual([status, fields["content-length"], body], [200, "10", null]);
});
