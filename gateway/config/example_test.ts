import assert from "node:assert/strict";
import { parse } from "yaml";
import { checkConfiguration } from "./check.ts";
import { defaultConfiguration } from "./configuration.ts";
import { exampleConfiguration } from "./example.ts";
import { configurationKeys, keyAt, keysWithin } from "./keys.ts";
import { keyName, type KeyPath } from "./problems.ts";

const example = exampleConfiguration();

/** What the comments after "# Example:" say, with the comment signs taken off. */
function exampleOf(name: string): unknown {
  const lines = example.split("\n");
  const start = lines.indexOf(`# ${name}:`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith("# "));
  const block = lines.slice(start, end).map((line) => line.slice("# ".length)).join("\n");
  return parse(block)[name];
}

Deno.test("packaging/portico.example.yml is what `deno task example-config` writes", async () => {
  const file = new URL("../../packaging/portico.example.yml", import.meta.url);
  assert.equal(
    await Deno.readTextFile(file),
    example,
    "it is stale: run `deno task example-config`",
  );
});

Deno.test("the example, as it is, is the defaults", () => {
  assert.deepEqual(checkConfiguration(parse(example)).faults, []);
  // Null means what leaving the key out means.
  const set = parse(example, (_, value) => value ?? undefined);
  assert.deepEqual(checkConfiguration(set).config, defaultConfiguration);
});

Deno.test("every key has a description", () => {
  const undescribed = configurationKeys.filter(({ description }) => description === "");
  assert.deepEqual(undescribed.map(({ path }) => keyName(path)), []);
});

Deno.test("each key that has an example takes it", () => {
  for (const { path, notes } of configurationKeys) {
    if (notes.example === undefined) continue;
    const nested = path.reduceRight<unknown>((value, name) => ({ [name]: value }), notes.example);
    assert.deepEqual(checkConfiguration(nested).faults, [], keyName(path));
  }
});

Deno.test("examples of lists can be taken over by removing the comment signs", () => {
  assert.deepEqual(exampleOf("hosts"), keyAt(["hosts"])?.notes.example);
  assert.deepEqual(exampleOf("apis"), keyAt(["apis"])?.notes.example);
});

Deno.test("the example of a host names every key a host has", () => {
  const inItem = (path: KeyPath) => keysWithin(path)?.toSorted();
  const [host] = exampleOf("hosts") as Record<string, unknown>[];
  assert.deepEqual(Object.keys(host ?? {}).toSorted(), inItem(["hosts", 0]));
});
