import assert from "node:assert/strict";
import { headerLines, readExplainForm, shownAgain } from "./explain_form.ts";

Deno.test("what is secret in a form does not come back; who held the key does", () => {
  const form = readExplainForm({
    url: "/shop/x?a=1&api_key=ptk_secret",
    headers: "X-Api-Key: ptk_secret\r\nAccept: */*\r\nAuthorization: Basic c2VjcmV0",
    key: "ptk_secret",
  });
  const again = shownAgain(form, "user-1");
  assert.equal(again.headers, "Accept: */*");
  assert.equal(again.url, "/shop/x?a=1");
  assert.equal(again.user, "user-1");
  assert.ok(!JSON.stringify(again).includes("secret"));
});

Deno.test("a header line ends its name at the first colon", () => {
  assert.deepEqual(headerLines("Referer: https://a.example/\n\nbroken"), [
    { name: "Referer", value: "https://a.example/" },
    { name: "", value: "broken" },
  ]);
});
