import assert from "node:assert/strict";
import { decideCoding, MIN_BYTES, recodedHeaders, variedHeaders } from "./body_coding.ts";

type Fields = [name: string, value: string][];

interface Answered {
  readonly fields?: Fields;
  readonly status?: number;
  readonly bytes?: number | "stream" | "none";
  readonly accepts?: string | null;
  readonly method?: string;
  readonly compresses?: boolean;
}

const JSON_TYPE: Fields = [["content-type", "application/json; charset=utf-8"]];

function decide({ fields = JSON_TYPE, status = 200, bytes = MIN_BYTES, ...client }: Answered) {
  const body = bytes === "none"
    ? null
    : bytes === "stream"
    ? new ReadableStream<Uint8Array<ArrayBuffer>>()
    : new Uint8Array(bytes);
  const { accepts = "gzip, br", method = "GET", compresses = true } = client;
  const headers = new Headers(accepts === null ? {} : { "accept-encoding": accepts });
  return decideCoding({ status, headers: fields, body }, { method, headers }, compresses);
}

const recoding = (answered: Answered) => decide(answered).recoding;

Deno.test("text of some length is compressed as the client likes it best", () => {
  assert.equal(recoding({}), "br");
  assert.equal(recoding({ accepts: "gzip" }), "gzip");
  assert.equal(recoding({ accepts: null }), null);
  assert.equal(recoding({ bytes: "stream" }), "br");
  assert.equal(recoding({ status: 404 }), "br");
});

Deno.test("text is what API Umbrella calls so, and JSON and XML of any name", () => {
  const types = "application/atom+xml, application/javascript, application/json, " +
    "application/rss+xml, application/x-javascript, application/xml, text/css, text/csv, " +
    "text/html, text/javascript, text/plain, text/xml, TEXT/Plain;charset=utf-8, " +
    "application/problem+json, image/svg+xml";
  for (const type of types.split(", ")) {
    assert.equal(recoding({ fields: [["content-type", type]] }), "br", type);
  }
  for (const type of ["image/png", "application/octet-stream", "text/event-stream", "text/x"]) {
    assert.equal(recoding({ fields: [["content-type", type]] }), null, type);
  }
  assert.equal(recoding({ fields: [] }), null);
});

Deno.test("what is short stays as it is; of unknown length it may be long", () => {
  const length = (value: string): Fields => [...JSON_TYPE, ["content-length", value]];
  assert.equal(recoding({ bytes: 999, fields: length("999") }), null);
  assert.equal(recoding({ bytes: 999 }), "br");
  assert.equal(recoding({ bytes: "stream", fields: length("999") }), null);
  assert.equal(recoding({ bytes: "stream", fields: length("1000") }), "br");
});

Deno.test("parts, coded bodies, answers to HEAD and what may not be changed stay as they are", () => {
  const as = (value: string, name: string): Fields => [...JSON_TYPE, [name, value]];
  assert.equal(recoding({ status: 206 }), null);
  assert.equal(recoding({ method: "HEAD", bytes: "stream" }), null);
  assert.equal(recoding({ bytes: "none" }), null);
  assert.equal(recoding({ compresses: false }), null);
  assert.equal(recoding({ fields: as("br", "content-encoding") }), null);
  assert.equal(recoding({ fields: as("public, No-Transform", "cache-control") }), null);
});

Deno.test("gzip is taken off for who does not take it, whatever is in it", () => {
  const gzipped = (...more: Fields): Fields => [["content-encoding", "gzip"], ...more];
  assert.deepEqual(decide({ fields: gzipped(), accepts: null }), {
    recoding: "gunzip",
    varies: true,
  });
  assert.equal(recoding({ fields: gzipped(), accepts: "br" }), "gunzip");
  assert.equal(recoding({ fields: [["content-encoding", "X-GZIP"]], accepts: null }), "gunzip");
  assert.equal(recoding({ fields: gzipped(), accepts: null, compresses: false }), "gunzip");
  assert.deepEqual(decide({ fields: gzipped() }), { recoding: null, varies: true });
  assert.equal(
    recoding({ fields: gzipped(["cache-control", "no-transform"]), accepts: null }),
    null,
  );
  assert.equal(
    recoding({ fields: gzipped(["content-encoding", "br"]), accepts: null }),
    null,
  );
});

Deno.test("what could be compressed varies, for whomever it is not", () => {
  assert.equal(decide({ accepts: null }).varies, true);
  assert.equal(decide({ fields: [...JSON_TYPE, ["content-length", "10"]] }).varies, false);
  assert.equal(decide({ fields: [["content-type", "image/png"]] }).varies, false);
});

Deno.test("fields about the bytes that are not sent any more go, and the ETag becomes weak", () => {
  const headers: Fields = [
    ["content-type", "text/plain"],
    ["content-length", "5000"],
    ["accept-ranges", "bytes"],
    ["content-md5", "Q2hlY2s="],
    ["etag", '"a"'],
  ];
  assert.deepEqual(recodedHeaders(headers, "br"), [
    ["content-type", "text/plain"],
    ["etag", 'W/"a"'],
    ["content-encoding", "br"],
  ]);
  assert.deepEqual(recodedHeaders([["content-encoding", "gzip"], ["etag", 'W/"a"']], "gunzip"), [
    ["etag", 'W/"a"'],
  ]);
});

Deno.test("Accept-Encoding joins what the answer varies by, once", () => {
  assert.deepEqual(variedHeaders([]), [["vary", "Accept-Encoding"]]);
  assert.deepEqual(variedHeaders([["vary", "Accept"], ["x", "1"], ["vary", "Origin"]]), [
    ["vary", "Accept, Origin, Accept-Encoding"],
    ["x", "1"],
  ]);
  for (const value of ["*", "accept-encoding", "Accept, Accept-Encoding"]) {
    assert.deepEqual(variedHeaders([["vary", value]]), [["vary", value]]);
  }
});
