import assert from "node:assert/strict";
import { StrippedCookies } from "./cookies.ts";

const stripped = new StrippedCookies(["^__utm.*$", "^_ga$"]);

Deno.test("cookies go by their names, letters of both cases alike", () => {
  assert.equal(
    stripped.strip("a=1; __utma=2; _GA=3; _ga_x=4; b=_ga; x__utm=5"),
    "a=1; _ga_x=4; b=_ga; x__utm=5",
  );
  assert.equal(stripped.strip("_ga"), "");
});

Deno.test("what is left stands with one space behind each semicolon, values as they came", () => {
  assert.equal(stripped.strip('a=1;b="2 ";;  c=3\t; d'), 'a=1; b="2 "; c=3; d');
  assert.equal(stripped.strip("a=\xc3\xa0"), "a=\xc3\xa0");
});

Deno.test("a Cookie header of which nothing is left goes", () => {
  assert.deepEqual(stripped.stripFrom([["cookie", "_ga=1"], ["x-a", "1"]]), [["x-a", "1"]]);
  assert.deepEqual(stripped.stripFrom([["cookie", "a=1"]]), [["cookie", "a=1"]]);
  const none = [["x-a", "1"]] as const;
  assert.equal(stripped.stripFrom(none), none);
});
