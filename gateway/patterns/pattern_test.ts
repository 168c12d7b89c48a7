import assert from "node:assert/strict";
import { Pattern } from "./pattern.ts";
import { patternProblem } from "./pattern_problem.ts";

Deno.test("an expression matches anywhere, letters of both cases alike", () => {
  assert.ok(new Pattern("^/Things").test("/things/1"));
  assert.ok(new Pattern("b").test("abc"));
  assert.ok(!new Pattern("^b").test("abc"));
  assert.ok(!new Pattern("^/Things", "same case").test("/things/1"));
});

Deno.test("every match is replaced; a group that took no part is empty", () => {
  const pattern = new Pattern("(a)|(b)");
  assert.equal(pattern.replaceAll("xaB", ([all, a, b]) => `<${all},${a},${b}>`), "x<a,a,><B,,B>");
  assert.equal(new Pattern("x*").replaceAll("axx", ([all]) => `<${all}>`), "<>a<xx>");
  assert.equal(new Pattern("no").replaceAll("text", () => "?"), "text");
});

Deno.test("what breaks engines that backtrack costs nothing", () => {
  const started = performance.now();
  const text = "a".repeat(8192) + "!";
  for (const source of ["^(a+)+$", "^(a|a)*$", "^(.*a){20}$"]) {
    assert.ok(!new Pattern(source).test(text));
    assert.equal(new Pattern(source).capture(text), null);
  }
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("a bad expression is refused with the place of what is wrong", () => {
  const place = (source: string) =>
    Number(/^has an error at character (\d+)/.exec(patternProblem(source) ?? "")?.[1]);
  assert.equal(patternProblem("^/(a|b)+$"), null);
  assert.equal(place("x(?=y)"), 2);
  assert.equal(place("(a)\\1"), 4);
  assert.equal(place("a**"), 2);
  assert.equal(place("[b-a]x[b-a]"), 2);
  assert.equal(place("a(b"), 2);
  assert.equal(place("(a)b)"), 5);
  assert.equal(place("[)]\\(a)"), 7);
  assert.equal(place("a[b"), 2);
});
