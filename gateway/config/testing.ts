/** Files and surroundings that tests of the configuration load from. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfiguration, type LoadedConfiguration } from "./load.ts";
import { ConfigurationError } from "./problems.ts";

export interface Given {
  /** Text of `portico.yml`, which is then named by `--config`. */
  readonly file?: string;
  readonly environment?: Record<string, string>;
}

/** Loads from a file of that text and that environment alone. */
export async function load({ file, environment = {} }: Given): Promise<LoadedConfiguration> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "portico.yml");
  if (file !== undefined) await Deno.writeTextFile(path, file);
  return loadConfiguration(file === undefined ? [] : ["--config", path], {
    environment,
    projectFolder: "/opt/portico",
    systemFile: join(folder.path, "no-such-file.yml"),
  });
}

/** The lines of the error that loading ends in; the file is called `portico.yml` in them. */
export async function errorsOf(given: Given): Promise<string[]> {
  const error = await load(given).then(() => undefined, (error: unknown) => error);
  assert(error instanceof ConfigurationError, `expected a ConfigurationError, got ${error}`);
  return error.message.split("\n").map((line) =>
    line.replace(/^\/\S*\/portico\.yml/, "portico.yml")
  );
}

export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "portico-config-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
