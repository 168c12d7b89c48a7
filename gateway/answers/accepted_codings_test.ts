import assert from "node:assert/strict";
import { acceptedCodings } from "./accepted_codings.ts";

const preferred = (header: string | null) => acceptedCodings(header).preferred;

Deno.test("the coding with the greatest weight is preferred, brotli among equals", () => {
  assert.equal(preferred("gzip, deflate, br"), "br");
  assert.equal(preferred("gzip, br;q=0.9"), "gzip");
  assert.equal(preferred("br;q=0.5, gzip;q=0.8"), "gzip");
  assert.equal(preferred("GZip"), "gzip");
  assert.equal(preferred("x-gzip"), "gzip");
  assert.equal(preferred("deflate, zstd"), null);
  assert.equal(preferred("gzipp"), null);
});

Deno.test("a weight of 0 refuses a coding, and one that is no number counts as 0", () => {
  assert.equal(preferred("gzip;q=0"), null);
  assert.equal(preferred("br;q=0, gzip"), "gzip");
  assert.equal(preferred("gzip;q=0.000, br ; Q=0.001"), "br");
  assert.equal(preferred("gzip;q=much"), null);
});

Deno.test("a star stands for what is not named", () => {
  assert.equal(preferred("*"), "br");
  assert.equal(preferred("*;q=0"), null);
  assert.equal(preferred("br;q=0, *;q=0.1"), "gzip");
  assert.equal(preferred("gzip, *;q=0"), "gzip");
  assert.equal(preferred("identity;q=0, *"), "br");
});

Deno.test("who would rather have the plain answer gets it", () => {
  assert.equal(preferred("identity, gzip;q=0.5"), null);
  assert.equal(preferred("identity;q=0.5, gzip;q=0.5"), "gzip");
  assert.equal(preferred("identity"), null);
  assert.equal(preferred("identity;q=0"), null);
});

Deno.test("without the header, or with an empty one, a client takes the plain answer alone", () => {
  assert.deepEqual(acceptedCodings(null), { preferred: null, gzip: false });
  assert.deepEqual(acceptedCodings(""), { preferred: null, gzip: false });
});

Deno.test("an answer in gzip may go to whoever takes gzip, liked best or not", () => {
  assert.equal(acceptedCodings("br, gzip;q=0.1").gzip, true);
  assert.equal(acceptedCodings("*;q=0.1").gzip, true);
  assert.equal(acceptedCodings("br").gzip, false);
  assert.equal(acceptedCodings("gzip;q=0, *").gzip, false);
});
