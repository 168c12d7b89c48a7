import assert from "node:assert/strict";
import { App, type Middleware } from "../mod.ts";
import { compareFiles, roleOf } from "./file_routes.ts";
import { applySnapshot } from "./snapshot.ts";

const PATTERNS: Record<string, string> = {
  "index.tsx": "/",
  "about.tsx": "/about",
  "blog/index.tsx": "/blog",
  "blog/[slug].tsx": "/blog/:slug",
  "[id]-x.tsx": "/:id-x",
  "a[b].tsx": "/a:b",
  "old/[...path].tsx": "/old/:path*",
  "docs/[[v]]/index.tsx": "/docs{/:v}?",
  "[[name]].tsx": "/{:name}?",
  "(group)/x.tsx": "/x",
  "(group)/index.tsx": "/",
  "sitemap.xml.ts": "/sitemap.xml",
};

Deno.test("a file's name is its URL pattern", () => {
  for (const [file, pattern] of Object.entries(PATTERNS)) {
    assert.equal(roleOf(file).pattern, pattern, file);
  }
});

Deno.test("a group is part of what surrounds a page, not of its URL", () => {
  assert.deepEqual(roleOf("admin/(console)/users/[id].tsx"), {
    kind: "page",
    pattern: "/admin/users/:id",
    scope: "/admin/(console)/users/:id",
  });
});

Deno.test("names that mean nothing are refused, with the file", () => {
  assert.throws(() => roleOf("[a][b].tsx"), /routes\/\[a\]\[b\]\.tsx: two parameters/);
  assert.throws(() => roleOf("x[[a]].tsx"), /routes\/x\[\[a\]\]\.tsx: an optional parameter/);
  assert.throws(() => roleOf("admin/_app.tsx"), /belongs into routes\/ itself/);
});

Deno.test("in a folder, what surrounds pages comes first and what matches most comes last", () => {
  const ordered = [
    "_app.tsx",
    "_middleware.ts",
    "_layout.tsx",
    "_404.tsx",
    "_error.tsx",
    "index.tsx",
    "about.tsx",
    "blog/_middleware.ts",
    "blog/index.tsx",
    "blog/[slug].tsx",
    "(group)/x.tsx",
    "[id].tsx",
    "[[maybe]].tsx",
    "[...rest].tsx",
  ];
  assert.deepEqual(ordered.toReversed().sort(compareFiles), ordered);
});

/** An app of these route modules, by file. */
function appOf(modules: Record<string, unknown>) {
  const app = new App().fsRoutes();
  applySnapshot(app, {
    buildId: "b1",
    mode: "production",
    root: "",
    routes: Object.entries(modules).map(([file, module]) => ({ file, module, lazy: false })),
    islands: [],
    bootScripts: [],
    reloadScript: null,
    staticFiles: {},
  });
  return app;
}

async function bodyOf(modules: Record<string, unknown>, path: string): Promise<string> {
  const response = await appOf(modules).handler()(new Request(`http://site.example${path}`));
  return await response.text();
}

const adds = (name: string): Middleware<{ trail?: string }> => (ctx) => {
  ctx.state.trail = `${ctx.state.trail ?? ""}${name} `;
  return ctx.next();
};
const trail = { handler: (ctx: { state: { trail?: string } }) => new Response(ctx.state.trail) };

Deno.test("middlewares of outer folders and groups run first; a list runs in order", async () => {
  const modules = {
    "admin/(console)/x.tsx": trail,
    "admin/(console)/_middleware.ts": { default: adds("console") },
    "admin/_middleware.ts": { default: [adds("admin1"), adds("admin2")] },
    "_middleware.ts": { handler: adds("root") },
    "admin/login.tsx": trail,
  };
  assert.equal(await bodyOf(modules, "/admin/x"), "root admin1 admin2 console ");
  assert.equal(await bodyOf(modules, "/admin/login"), "root admin1 admin2 ");
});

Deno.test("an override replaces the URL and keeps the surroundings", async () => {
  const modules = {
    "admin/_middleware.ts": { default: adds("admin") },
    "admin/feed.tsx": { ...trail, config: { routeOverride: "/feed.xml" } },
  };
  assert.equal(await bodyOf(modules, "/feed.xml"), "admin ");
  assert.equal(await bodyOf(modules, "/admin/feed"), "Not Found");
});

Deno.test("an unmatched path runs nothing of its folder", async () => {
  const modules = {
    "_error.tsx": { default: () => "root error" },
    "admin/_error.tsx": { default: () => "admin error" },
    "admin/_middleware.ts": { default: () => new Response("admin middleware") },
    "admin/index.tsx": trail,
  };
  assert.match(await bodyOf(modules, "/admin/nope"), /root error/);
});

Deno.test("_404 answers 404 and takes what _error would get", async () => {
  const app = appOf({
    "_404.tsx": { default: () => "no such page" },
    "_error.tsx": { default: () => "error" },
  });
  const response = await app.handler()(new Request("http://site.example/x"));
  assert.equal(response.status, 404);
  assert.match(await response.text(), /no such page/);
});

Deno.test("modules that cannot be routes are refused, with the file", () => {
  assert.throws(() => appOf({ "x.ts": { other: 1 } }).handler(), /routes\/x\.ts: no relevant/);
  const twoArguments = { handler: (_req: unknown, _ctx: unknown) => new Response() };
  assert.throws(() => appOf({ "x.ts": twoArguments }).handler(), /takes one argument/);
  assert.throws(() => appOf({ "_middleware.ts": { default: {} } }).handler(), /is a function/);
  assert.throws(() => appOf({ "_layout.tsx": trail }).handler(), /export a component/);
});
