/**
 * What the server may do, as flags of `deno run`, made from its configuration: the
 * paths it names and no others, wherever they lie. Never to run a program, never to
 * load native code.
 */
import { dirname } from "node:path";
import { environmentPermissions } from "../config/environment.ts";
import type { LoadedConfiguration, Surroundings } from "../config/load.ts";
import { dataFolder } from "../config/store_location.ts";

export function permissionFlags(
  { config, file }: LoadedConfiguration,
  { projectFolder, systemFile }: Pick<Surroundings, "projectFolder" | "systemFile">,
): string[] {
  const data = dataFolder(config.kv);
  const certificates = config.hosts.flatMap((host) => [host.ssl_cert, host.ssl_cert_key]);
  // The system's file is looked for at every reload, whether it is there now or not.
  const read = [projectFolder, file ?? systemFile, ...certificates, data];
  return [
    // Backends may lie anywhere, so no list of hosts can be made.
    "--allow-net",
    pathFlag("--allow-read", read),
    ...(data === null ? [] : [pathFlag("--allow-write", [data])]),
    `--allow-env=${environmentPermissions.join(",")}`,
  ];
}

function pathFlag(name: string, paths: readonly (string | null)[]): string {
  const distinct = new Set(paths.filter((path) => path !== null).map(expressible));
  return `${name}=${[...distinct].join(",")}`;
}

/**
 * Deno parts paths at commas and has no way to spell one that holds a comma: the
 * nearest folder above it that has none stands for it.
 */
function expressible(path: string): string {
  return path.includes(",") ? expressible(dirname(path)) : path;
}

/** The words as a POSIX shell reads them back, whatever they hold. */
export function shellQuoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}
