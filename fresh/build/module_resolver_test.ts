import assert from "node:assert/strict";
import { join } from "node:path";
import { ModuleResolver } from "./module_resolver.ts";

const SITE = join(import.meta.dirname!, "../testdata/site");
const ISLAND = { path: join(SITE, "islands/Counter.tsx"), isSource: true };

/** The file that an island's import means, below its package or project. */
async function resolved(specifier: string, importer = ISLAND): Promise<string> {
  const { path } = await (await ModuleResolver.open(SITE)).resolve(specifier, importer);
  return path.replace(/^.*\/(?=preact\/|signals\/|signals-core\/|fresh\/)/, "");
}

Deno.test("a file is found beside its importer", async () => {
  assert.equal(await resolved("./Panel.tsx"), "fresh/testdata/site/islands/Panel.tsx");
});

Deno.test("fresh is found by the name that apps give it", async () => {
  assert.equal(await resolved("fresh/runtime"), "fresh/runtime.ts");
  assert.equal(await resolved("jsr:@fresh/core@^2.3.3/runtime"), "fresh/runtime.ts");
});

Deno.test("a package gives its build for browsers, a part of it too", async () => {
  assert.match(await resolved("preact"), /^preact\/10\.[\d.]+\/dist\/preact\.module\.js$/);
  assert.match(await resolved("preact/hooks"), /^preact\/.+\/hooks\/dist\/hooks\.module\.js$/);
  assert.match(await resolved("npm:preact@10.29.8/jsx-runtime"), /jsxRuntime\.module\.js$/);
});

Deno.test("packages find what they depend on", async () => {
  const resolver = await ModuleResolver.open(SITE);
  const signals = await resolver.resolve("@preact/signals", ISLAND);
  assert.match(await resolved("@preact/signals-core", signals), /^signals-core\/.+\.module\.js$/);
  assert.match(await resolved("preact", signals), /^preact\/.+\/preact\.module\.js$/);
});

Deno.test("what browsers cannot have is an error that names importer and import", async () => {
  await assert.rejects(resolved("node:fs"), /Counter\.tsx imports "node:fs", which browser code/);
  await assert.rejects(resolved("unknown"), /Counter\.tsx imports "unknown"/);
  await assert.rejects(resolved("preact/unknown"), /subpath '\.\/unknown' is not defined/);
});
