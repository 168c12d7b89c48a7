import assert from "node:assert/strict";

interface Config {
  imports: Record<string, string>;
}

async function importsOf(path: string): Promise<Map<string, string>> {
  const text = await Deno.readTextFile(new URL(path, import.meta.url));
  const { imports } = JSON.parse(text) as Config;
  return new Map(Object.entries(imports).filter(([, target]) => target.startsWith("npm:")));
}

Deno.test("packages that an app shares with fresh have one version in both", async () => {
  const own = await importsOf("deno.json");
  const shared = [...await importsOf("../deno.json")].filter(([name]) => own.has(name));
  assert.ok(shared.length > 0);
  for (const [name, target] of shared) assert.equal(own.get(name), target);
});
