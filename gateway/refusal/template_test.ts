import assert from "node:assert/strict";
import { Template } from "./template.ts";
import { type CallVariables, callVariables, type Value, Variables } from "./variables.ts";

const call = Object.fromEntries(callVariables.map((name) => [name, `<${name}>`])) as CallVariables;

function filled(text: string, own: Record<string, string | number | boolean> = {}): string | null {
  const values = Object.entries(own).map(([name, value]): [string, Value] => [
    name,
    typeof value === "string" ? new Template(value) : value,
  ]);
  const variables = new Variables(new Map(values), call);
  return new Template(text).fill((name) => {
    const value = variables.value(name);
    return value === undefined ? undefined : String(value);
  }, 1000);
}

Deno.test("tags stand for values; the result is trimmed", () => {
  assert.equal(filled(" {{a}}-{{ b }}{{a}} \n", { a: "1", b: true }), "1-true1");
  assert.equal(filled("{{base_url}}/x"), "<base_url>/x");
});

Deno.test("tags that are unknown or malformed stay", () => {
  for (const text of ["{{none}}", "{{a", "a}}", "{{}}", "{{a b}}", "{a}", "{{constructor}}"]) {
    assert.equal(filled(text), text);
  }
  assert.equal(filled("{{{a}}}", { a: "1" }), "{1}");
});

Deno.test("what settings say goes before what the call gives", () => {
  assert.equal(filled("{{signup_url}}", { signup_url: "{{base_url}}/keys" }), "<base_url>/keys");
});

Deno.test("names in camel case stand for the same", () => {
  assert.equal(filled("{{signupUrl}} {{httpsUrl}}"), "<signup_url> <https_url>");
  assert.equal(filled("{{myName}} {{my_name}}", { my_name: "a" }), "a a");
  assert.equal(filled("{{myName}}", { myName: "b" }), "b");
});

Deno.test("variables inside variables stand for their values, and one inside itself ends", () => {
  assert.equal(filled("{{a}}", { a: "1{{b}}", b: "2{{c}}", c: 3 }), "123");
  assert.equal(filled("{{a}}", { a: "1{{a}}" }), "1{{a}}");
  assert.equal(filled("{{a}}", { a: "1{{b}}", b: "2{{a}}" }), "12{{a}}");
  assert.equal(
    filled("{{signup_url}}", { signup_url: "{{signup_url}}?from=here" }),
    "<signup_url>?from=here",
  );
});

Deno.test("a text that grows without end is none", () => {
  assert.equal(filled("{{a}}".repeat(500), { a: "x".repeat(4000) }), null);
  const nested = Object.fromEntries(
    Array.from({ length: 30 }, (_, depth) => [`v${depth}`, `{{v${depth + 1}}}`.repeat(100)]),
  );
  assert.equal(filled("[{{v0}}]", { ...nested, v30: "x".repeat(1000) }), "[]");
});

Deno.test("tags in what a caller sent are text", () => {
  const variables = new Variables(
    new Map([["message", new Template("At {{https_url}}")], ["secret", new Template("s")]]),
    { ...call, https_url: "https://a.example/{{secret}}{{https_url}}" },
  );
  assert.equal(
    variables.value("message"),
    "At https://a.example/{{secret}}{{https_url}}",
  );
});
