import assert from "node:assert/strict";
import { BadRequest } from "./bad_request.ts";
import { framedBody } from "./framing.ts";

const body = () =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => controller.close() });

function read(headers: Record<string, string>, stream = body() as ReturnType<typeof body> | null) {
  return framedBody({ headers: new Headers(headers), body: stream }, "http");
}

Deno.test("an announced body is taken with its length, chunks without one", () => {
  const stream = body();
  assert.deepEqual(read({ "content-length": "5" }, stream), { stream, length: 5 });
  assert.deepEqual(read({ "transfer-encoding": "Chunked" }, stream), { stream, length: null });
});

Deno.test("a request that announces no body has none, whatever its method", () => {
  assert.deepEqual(read({}), { stream: null, length: null });
  assert.deepEqual(read({ "content-length": "0" }), { stream: null, length: 0 });
  assert.deepEqual(read({}, null), { stream: null, length: null });
});

Deno.test("over HTTPS, where HTTP/2 announces nothing, the body may still come", () => {
  const stream = body();
  const taken = framedBody({ headers: new Headers(), body: stream }, "https");
  assert.deepEqual(taken, { stream, length: null });
});

Deno.test("a length that is no one number of exact bytes is refused", () => {
  for (const length of ["5, 5", "5,6", "0x5", "+5", "1e1", "", "9223372036854775807"]) {
    assert.ok(read({ "content-length": length }) instanceof BadRequest, length);
  }
});

Deno.test("a coding that would be lost on the way is refused", () => {
  for (const coding of ["gzip, chunked", "chunked, chunked", "identity", ""]) {
    assert.ok(read({ "transfer-encoding": coding }) instanceof BadRequest, coding);
  }
});

Deno.test("a body that the server keeps to itself is refused, not announced and left out", () => {
  assert.ok(read({ "content-length": "5" }, null) instanceof BadRequest);
  assert.ok(read({ "transfer-encoding": "chunked" }, null) instanceof BadRequest);
  assert.deepEqual(read({ "content-length": "0" }, null), { stream: null, length: 0 });
});
