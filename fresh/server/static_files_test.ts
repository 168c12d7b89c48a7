import assert from "node:assert/strict";
import { App, csp, staticFiles } from "../mod.ts";
import { asset } from "../runtime.ts";
import type { Mode } from "./types.ts";
import { applySnapshot } from "./snapshot.ts";

const SITE = `${import.meta.dirname}/../testdata/site/`;
const CSS = await Deno.readTextFile(`${SITE}static/site.css`);
const encoded = new TextEncoder().encode(CSS);

/** Serves an app with static files over HTTP while `use` runs. */
async function serving(use: (origin: string) => Promise<void>, mode: Mode = "production") {
  const app = new App().use(csp()).use(staticFiles()).get("/page", (ctx) => ctx.text("page"));
  const file = { content: encoded, contentType: "text/css; charset=utf-8", hash: "abc" };
  applySnapshot(app, {
    buildId: "b1",
    mode,
    root: SITE,
    routes: [],
    islands: [],
    bootScripts: [],
    reloadScript: null,
    staticFiles: {
      "/site.css": { ...file, content: "static/site.css", immutable: false },
      "/with space é.css": { ...file, immutable: false },
      "/_fresh/js/b1/boot.js": { ...file, immutable: true },
      "/removed.css": { ...file, content: "static/removed.css", immutable: false },
    },
  });
  const server = Deno.serve({ port: 0, onListen() {} }, app.handler());
  try {
    await use(`http://localhost:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

async function head(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, { redirect: "manual", ...init });
  await response.body?.cancel();
  return response;
}

Deno.test("a file is served with its type, its length and its version", async () => {
  await serving(async (origin) => {
    const response = await fetch(`${origin}/site.css`);
    assert.equal(await response.text(), CSS);
    assert.equal(response.headers.get("content-type"), "text/css; charset=utf-8");
    assert.equal(response.headers.get("content-length"), String(encoded.length));
    assert.equal(response.headers.get("etag"), 'W/"abc"');
    assert.equal(response.headers.get("cache-control"), "no-cache");
  });
});

Deno.test("HEAD has the headers of GET", async () => {
  await serving(async (origin) => {
    const response = await head(`${origin}/site.css`, { method: "HEAD" });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-length"), String(encoded.length));
    assert.equal(response.headers.get("etag"), 'W/"abc"');
  });
});

Deno.test("a client that has the version is told so", async () => {
  await serving(async (origin) => {
    const status = async (tag: string) =>
      (await head(`${origin}/site.css`, { headers: { "if-none-match": tag } })).status;
    assert.equal(await status('W/"abc"'), 304);
    assert.equal(await status('"x", "abc"'), 304);
    assert.equal(await status("*"), 304);
    assert.equal(await status('W/"other"'), 200);
  });
});

Deno.test("a URL that is locked to the build may be kept for ever", async () => {
  await serving(async (origin) => {
    const IMMUTABLE = "public, max-age=31536000, immutable";
    assert.equal(asset("/site.css"), "/site.css?__frsh_c=b1");
    const locked = await head(origin + asset("/site.css"));
    assert.equal(locked.headers.get("cache-control"), IMMUTABLE);
    const bundle = await head(`${origin}/_fresh/js/b1/boot.js`);
    assert.equal(bundle.headers.get("cache-control"), IMMUTABLE);
  });
});

Deno.test("a URL that is locked to another build leads to the plain one", async () => {
  await serving(async (origin) => {
    const response = await head(`${origin}/site.css?a=1&__frsh_c=old`);
    assert.equal(response.status, 307);
    assert.equal(response.headers.get("location"), "/site.css?a=1");
  });
});

Deno.test("names are found in whatever way they are encoded", async () => {
  await serving(async (origin) => {
    assert.equal((await head(`${origin}/with%20space%20%C3%A9.css`)).status, 200);
    assert.equal((await head(`${origin}/%73ite.css`)).status, 200);
  });
});

Deno.test("only what the build listed is served", async () => {
  await serving(async (origin) => {
    const targets = [
      "/server.ts",
      "/..%2fserver.ts",
      "/static/site.css",
      "/%2e%2e/server.ts",
      "/%zz",
      "/removed.css",
      "/__proto__",
      "/favicon.ico",
    ];
    for (const target of targets) assert.equal((await head(origin + target)).status, 404, target);
  });
});

Deno.test("a file is only to be read", async () => {
  await serving(async (origin) => {
    const response = await fetch(`${origin}/site.css`, { method: "POST", body: "x" });
    assert.equal(response.status, 405);
    await response.body?.cancel();
  });
});

Deno.test("requests for no file go on to the app", async () => {
  await serving(async (origin) => {
    assert.equal(await (await fetch(`${origin}/page`)).text(), "page");
  });
});

Deno.test("in development nothing is kept, and pages can ask whether there is another build", async () => {
  await serving(async (origin) => {
    const response = await head(origin + asset("/site.css"));
    assert.equal(response.headers.get("etag"), null);
    assert.equal(response.headers.get("cache-control"), "no-cache");
    const revision = await (await fetch(`${origin}/_fresh/alive`)).text();
    assert.ok(revision.length > 0);
    assert.equal(await (await fetch(`${origin}/_fresh/alive`)).text(), revision);
  }, "development");
  await serving(async (origin) => {
    assert.equal((await head(`${origin}/_fresh/alive`)).status, 404);
  });
});
