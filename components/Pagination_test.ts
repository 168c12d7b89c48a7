import assert from "node:assert/strict";
import { pageLink } from "./Pagination.tsx";

Deno.test("the link to another page keeps search and order", () => {
  const url = new URL("http://h/list?search=x&cursor=old&sort=name");
  assert.equal(pageLink(url, "new"), "/list?search=x&cursor=new&sort=name");
  assert.equal(pageLink(url, null), "/list?search=x&sort=name");
});

Deno.test("the link to the first page of everything has no query", () => {
  assert.equal(pageLink(new URL("http://h/list?cursor=old"), null), "/list");
});
