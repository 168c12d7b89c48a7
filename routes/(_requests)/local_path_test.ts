import assert from "node:assert/strict";
import { localPath } from "./local_path.ts";

Deno.test("a path of this server is kept, with its query", () => {
  assert.equal(localPath("/signup/?a=b"), "/signup/?a=b");
  assert.equal(localPath("/admin/logs?x=1", "/admin/"), "/admin/logs?x=1");
});

Deno.test("nothing leads to another server", () => {
  for (
    const value of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example",
      "/\t/evil.example",
      "\\\\evil.example",
      "javascript:alert(1)",
      "",
      null,
      undefined,
    ]
  ) assert.equal(localPath(value), "/", String(value));
});

Deno.test("nothing leads out of the part of the server that was asked for", () => {
  assert.equal(localPath("/signup/", "/admin/"), "/admin/");
  assert.equal(localPath("/admin/../signup/", "/admin/"), "/admin/");
  assert.equal(localPath("/admin/%2e%2e/signup/", "/admin/"), "/admin/");
});
