import assert from "node:assert/strict";
import { chooseFormat } from "./format.ts";

function choose(path: string, query: string | null = null, accept: string | null = null) {
  return chooseFormat(path, query, accept).contentType;
}

Deno.test("the path's extension decides first, then ?format=, then Accept, then JSON", () => {
  assert.equal(choose("/a.xml", "format=csv", "text/html"), "application/xml");
  assert.equal(choose("/a", "x=1&format=csv", "text/html"), "text/csv");
  assert.equal(choose("/a", null, "text/html"), "text/html");
  assert.equal(choose("/a"), "application/json");
  assert.equal(choose("/a.png", "format=png", "image/png"), "application/json");
});

Deno.test("array and hash forms of format are ignored", () => {
  assert.equal(choose("/a", "format[]=xml"), "application/json");
  assert.equal(choose("/a", "format[x]=xml"), "application/json");
  assert.equal(choose("/a", "format%5B%5D=xml&format=csv"), "text/csv");
});

Deno.test("the first format counts, in capitals too; one that is empty or unknown does not", () => {
  assert.equal(choose("/a.XML"), "application/xml");
  assert.equal(choose("/a", "format=XML&format=csv"), "application/xml");
  assert.equal(choose("/a", "format", "text/csv"), "text/csv");
  assert.equal(choose("/a", "format=", "text/csv"), "text/csv");
  assert.equal(choose("/a", "format=constructor", "text/csv"), "text/csv");
  assert.equal(choose("/a", "my_format=xml"), "application/json");
});

Deno.test("Accept is negotiated by quality, ties by the header's order, wildcards by ours", () => {
  assert.equal(choose("/", null, "text/html;q=0.5, text/xml;q=0.9"), "text/xml");
  assert.equal(choose("/", null, "text/csv, text/html"), "text/csv");
  assert.equal(choose("/", null, "text/*"), "text/xml");
  assert.equal(choose("/", null, "*/*"), "application/json");
  assert.equal(choose("/", null, "application/json;q=0, text/html"), "text/html");
  assert.equal(choose("/", null, "application/json;q=0, */*"), "application/xml");
  assert.equal(choose("/", null, "text/html;level=1;q=0.1, application/*;q=0"), "text/html");
  assert.equal(choose("/", null, "image/png"), "application/json");
});
