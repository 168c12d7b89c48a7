import assert from "node:assert/strict";
import { isOwnPath } from "./own_paths.ts";

Deno.test("sign-up, admin and their files are Portico's own", () => {
  for (
    const path of [
      "/signup",
      "/signup/",
      "/admin",
      "/admin/api/v1/x",
      "/portico/styles.css",
      "/_fresh/js/x",
    ]
  ) {
    assert.ok(isOwnPath(path), path);
  }
});

Deno.test("everything else belongs to backends, the homepage to the website of a host that has one", () => {
  for (
    const path of [
      "/",
      "//",
      "//admin/",
      "/administration",
      "/signups/",
      "/porticoes",
      "/Admin/",
      "/x/admin/",
    ]
  ) {
    assert.ok(!isOwnPath(path), path);
  }
});
