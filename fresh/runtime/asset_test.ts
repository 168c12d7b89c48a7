import assert from "node:assert/strict";
import { asset, assetSrcSet, lockImages, setBuildId } from "./asset.ts";

Deno.test("the URL of a static file is locked to the build", () => {
  setBuildId("b1");
  assert.equal(asset("/a.css"), "/a.css?__frsh_c=b1");
  assert.equal(asset("/a.css?v=1#x"), "/a.css?v=1&__frsh_c=b1#x");
  assert.equal(asset(asset("/a.css")), "/a.css?__frsh_c=b1");
});

Deno.test("URLs that are not of this site's files stay as they are", () => {
  setBuildId("b1");
  for (const url of ["https://cdn.example/a.css", "//cdn.example/a", "a.css", "data:,x", "#x"]) {
    assert.equal(asset(url), url);
  }
});

Deno.test("a srcset is locked URL by URL", () => {
  setBuildId("b1");
  assert.equal(
    assetSrcSet("/a.png 1x, /b.png 2x,https://cdn.example/c.png"),
    "/a.png?__frsh_c=b1 1x, /b.png?__frsh_c=b1 2x, https://cdn.example/c.png",
  );
});

Deno.test("images are locked unless they say otherwise", () => {
  setBuildId("b1");
  const locked = { src: "/a.png", srcset: "/b.png 2x" };
  lockImages("img", locked);
  assert.deepEqual(locked, { src: "/a.png?__frsh_c=b1", srcset: "/b.png?__frsh_c=b1 2x" });
  const free = { src: "/a.png", "data-fresh-disable-lock": true };
  lockImages("img", free);
  assert.equal(free.src, "/a.png");
  const script = { src: "/a.js" };
  lockImages("script", script);
  assert.equal(script.src, "/a.js");
});
