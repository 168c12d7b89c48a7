import assert from "node:assert/strict";
import { takesGzip } from "./accept_encoding.ts";

Deno.test("gzip is taken when it is named, with any weight but 0", () => {
  for (
    const value of ["gzip", "GZip", "x-gzip", "deflate, gzip", "br,gzip;q=0.1", "gzip ; q=1, *;q=0"]
  ) {
    assert.ok(takesGzip(value), value);
  }
  for (
    const value of [
      "",
      "gzipp",
      "agzip",
      "gzip;q=0",
      "gzip; q=0.000",
      "br, deflate",
      "*",
      "identity",
    ]
  ) {
    assert.ok(!takesGzip(value), value);
  }
});
