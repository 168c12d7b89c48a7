import assert from "node:assert/strict";
import fc from "fast-check";
import { formatRequestHead } from "./request_head.ts";
import { request } from "./testing/calls.ts";

Deno.test("the head is request line, fields in their order, framing and an empty line", () => {
  const head = formatRequestHead(request({
    method: "QUERY",
    target: "/a?b",
    headers: [["host", "a.example"], ["accept", "*/*"], ["x-empty", ""]],
  }));
  assert.equal(head, "QUERY /a?b HTTP/1.1\r\nhost: a.example\r\naccept: */*\r\nx-empty: \r\n\r\n");
});

Deno.test("a body is announced by its length if that is known, else as chunked", () => {
  const framing = (body: ReadableStream<Uint8Array> | null, bodyLength: number | null) =>
    formatRequestHead(request({ headers: [], body, bodyLength })).split("\r\n")[1];
  const body = new ReadableStream<Uint8Array>();
  assert.equal(framing(body, 5), "content-length: 5");
  assert.equal(framing(body, 0), "content-length: 0");
  assert.equal(framing(null, 0), "content-length: 0");
  assert.equal(framing(body, null), "transfer-encoding: chunked");
  assert.equal(framing(null, null), "");
});

Deno.test("a target beyond ASCII goes out as UTF-8, a value as latin1", () => {
  const head = formatRequestHead(request({ target: "/é€😀", headers: [["x", "é\xff"]] }));
  assert.equal(
    head,
    "GET /\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 HTTP/1.1\r\nx: \xe9\xff\r\n\r\n",
  );
});

for (
  const [name, parts] of Object.entries(
    {
      "a method with a space": { method: "GET /evil HTTP/1.1\r\n" },
      "an empty method": { method: "" },
      "an empty target": { target: "" },
      "a target with a space": { target: "/a HTTP/1.1" },
      "a target with a line break": { target: "/a\r\nX: y" },
      "a target with a NUL": { target: "/\0" },
      "a target beyond ASCII with a line feed": { target: "/é\n" },
      "a name with a colon": { headers: [["a: b\r\nc", "d"]] },
      "an empty name": { headers: [["", "d"]] },
      "a value with CR and LF": { headers: [["a", "b\r\nc: d"]] },
      "a value with a bare LF": { headers: [["a", "b\nc: d"]] },
      "a value with a NUL": { headers: [["a", "b\0"]] },
      "a value that is no bytes": { headers: [["a", "€"]] },
      "framing of the caller's own": { headers: [["Content-Length", "5"]] },
      "a transfer coding of the caller's own": { headers: [["transfer-encoding", "chunked"]] },
      "a hop-by-hop field": { headers: [["connection", "x-real-ip"]] },
      "a body that is announced and not there": { body: null, bodyLength: 5 },
      "a length that is no number": { bodyLength: NaN },
      "a length that is not exact": { bodyLength: 2 ** 63 },
    } as const,
  )
) {
  Deno.test(`${name} cannot be sent`, () => {
    assert.throws(() => formatRequestHead(request(parts)), TypeError);
  });
}

Deno.test("whatever is given, a head is one request with the fields it was given", () => {
  const anything = fc.oneof(
    fc.string({ unit: "binary-ascii" }),
    fc.constantFrom("a", "/", "é", "€", "a\r\n\r\nGET / HTTP/1.1", "\r\nhost: b", "\n", "\r"),
  );
  fc.assert(fc.property(
    anything,
    anything,
    fc.array(fc.tuple(anything, anything), { maxLength: 4 }),
    (method, target, headers) => {
      let head: string;
      try {
        head = formatRequestHead(request({ method, target, headers }));
      } catch {
        return;
      }
      const lines = head.split(/\r\n|\r|\n/);
      assert.equal(lines.length, 1 + headers.length + 2);
      assert.equal(lines[0]!.split(" ").length, 3);
      assert.deepEqual(lines.slice(1, -2), headers.map(([name, value]) => `${name}: ${value}`));
    },
  ));
});
