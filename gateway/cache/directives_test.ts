import assert from "node:assert/strict";
import { readDate, readDirectives, secondsOf } from "./directives.ts";

const seconds = (value: string, name = "max-age") => secondsOf(readDirectives(value), name);

Deno.test("directives are read in any case, with quotes and without, of several the first (RFC 9111 §5.2)", () => {
  assert.equal(seconds("public, Max-Age=60"), 60);
  assert.equal(seconds('max-age="60"'), 60);
  assert.equal(seconds("max-age=60, max-age=5"), 60);
  assert.equal(seconds("x-max-age=60"), undefined);
  assert.equal(seconds('private="a, max-age=9", max-age=60'), 60);
  assert.ok(readDirectives('no-cache="set-cookie"').has("no-cache"));
  assert.ok(readDirectives("NO-STORE").has("no-store"));
});

Deno.test("a lifetime that is no number is stale, one that is too large is the largest (§1.2.2, §4.2.1)", () => {
  for (const value of ["max-age", "max-age=", "max-age=soon", "max-age=-1"]) {
    assert.equal(seconds(value), 0, value);
  }
  assert.equal(seconds("max-age=99999999999999999999"), 2 ** 31);
});

Deno.test("Surrogate-Control has content, a time to go on after, and targets besides", () => {
  assert.equal(seconds('max-age=60+30, content="ESI/1.0"'), 60);
  assert.equal(seconds("max-age=60;other"), 60);
});

Deno.test("the three forms of a date are read, nothing else (RFC 9110 §5.6.7)", () => {
  const time = Date.UTC(1994, 10, 6, 8, 49, 37);
  assert.equal(readDate("Sun, 06 Nov 1994 08:49:37 GMT"), time);
  assert.equal(readDate("Sunday, 06-Nov-94 08:49:37 GMT"), time);
  assert.equal(readDate("Sun Nov  6 08:49:37 1994"), time);
  for (const value of ["0", "-1", "", "2026-01-01", "Sun, 06 Nov 1994 08:49:37 CET"]) {
    assert.equal(readDate(value), null, value);
  }
});
