import assert from "node:assert/strict";
import { HostTable } from "./host_table.ts";

const tableOf = (...patterns: string[]) => new HostTable(patterns.map((name) => [name, name]));

Deno.test("the longest pattern that matches a host has it, in whatever order they came", () => {
  const patterns = ["*", ".example.org", "*.a.example.org", "a.example.org", "*.example.org"];
  for (const table of [tableOf(...patterns), tableOf(...patterns.toReversed())]) {
    assert.equal(table.find("a.example.org"), "a.example.org");
    assert.equal(table.find("b.a.example.org"), "*.a.example.org");
    assert.equal(table.find("example.org"), ".example.org");
    assert.equal(table.find("notexample.org"), "*");
    assert.equal(table.find("127.0.0.1"), "*");
  }
});

Deno.test("*.x stands for all below x and not for x, .x for both", () => {
  assert.equal(tableOf("*.example.org").find("example.org"), undefined);
  assert.equal(tableOf("*.example.org").find("a.b.example.org"), "*.example.org");
  assert.equal(tableOf(".example.org").find("example.org"), ".example.org");
  assert.equal(tableOf(".example.org").find("a.example.org"), ".example.org");
  assert.equal(tableOf(".example.org").find("xexample.org"), undefined);
  assert.equal(tableOf(".example.org").find("example.org.evil.example"), undefined);
});

Deno.test("a name is the very host's before the wildcard that stands for it too", () => {
  assert.equal(tableOf(".example.org", "example.org").find("example.org"), "example.org");
});

Deno.test("of two that are alike the first counts", () => {
  const table = new HostTable([["a.example", 1], ["a.example", 2], ["*", 3], ["*", 4]]);
  assert.deepEqual([table.find("a.example"), table.find("b.example")], [1, 3]);
});

Deno.test("a host of two hundred characters is found", () => {
  const host = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.example.org`;
  assert.equal(tableOf(host).find(host), host);
  assert.equal(tableOf("*.example.org").find(host), "*.example.org");
});
