import assert from "node:assert/strict";
import { AppendedQuery } from "./append_query.ts";

Deno.test("a query is appended to what is there, byte for byte", () => {
  const appended = new AppendedQuery("fixed=1&flag");
  assert.equal(appended.appendTo(null), "fixed=1&flag");
  assert.equal(appended.appendTo(""), "fixed=1&flag");
  assert.equal(appended.appendTo("b=%20&&a=+"), "b=%20&&a=+&fixed=1&flag");
});

Deno.test("arguments of the same names go, in whatever spelling", () => {
  const appended = new AppendedQuery("api key=&a[]=1");
  const query = "api+key=x&api%20key=y&%61%5B%5D=z&a[]&keep=a[]&a=1";
  assert.equal(appended.appendTo(query), "keep=a[]&a=1&api key=&a[]=1");
  assert.equal(appended.appendTo("a%5b%5D=1"), "api key=&a[]=1");
});
