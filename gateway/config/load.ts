/**
 * From command line, file and environment to the configuration the server runs
 * on. Either everything is right, or nothing starts and every problem is told.
 */
import { dirname, resolve } from "node:path";
import { checkConfiguration, type KeyFault } from "./check.ts";
import { configFileOption } from "./command_line.ts";
import { type Configuration, deepFreeze } from "./configuration.ts";
import {
  type Environment,
  environmentOverrides,
  FILE_VARIABLE,
  readEnvironment,
  STORE_TOKEN_VARIABLE,
} from "./environment.ts";
import { isGroup, mergeOverrides } from "./merge.ts";
import { ConfigurationError, keyName, type KeyPath, type Problem } from "./problems.ts";
import { isStoreUrl, MEMORY } from "./store_location.ts";
import { parseYaml, type YamlFile } from "./yaml_file.ts";

/** What a configuration is loaded from, apart from the command line. */
export interface Surroundings {
  readonly environment: Environment;
  /** The folder `main.ts` lies in: a relative path of the store starts here. */
  readonly projectFolder: string;
  /** Read when it exists and neither command line nor environment names another file. */
  readonly systemFile: string;
}

export interface LoadedConfiguration {
  readonly config: Configuration;
  /** Absolute path of the file that was read; null when there is none. */
  readonly file: string | null;
  /** Where a key's value comes from: `file:line:column`, a variable's name or `default`. */
  source(path: KeyPath): string;
}

/** Where Portico lies and looks, with the environment of this process. */
export function processSurroundings(): Surroundings {
  return {
    environment: readEnvironment(),
    projectFolder: resolve(import.meta.dirname ?? ".", "../.."),
    systemFile: "/etc/portico/portico.yml",
  };
}

/**
 * Loads the configuration; `args` are the command line's. Paths in the result are
 * absolute. Throws a `ConfigurationError` that lists every problem.
 */
export function loadConfiguration(
  args: readonly string[],
  surroundings: Surroundings = processSurroundings(),
): LoadedConfiguration {
  const file = chooseFile(args, surroundings);
  const yaml = file === null ? null : readYaml(file);
  const { overrides, problems } = environmentOverrides(surroundings.environment);
  const { value, variableAt } = mergeOverrides(yaml?.value, overrides);

  const problemOf = ({ path, part, message }: KeyFault): Problem => ({
    place: variableAt(path) ?? yaml?.place(path, part) ?? "default",
    key: keyName(path),
    message,
  });
  const unparsed = yaml?.problems ?? [];
  // Values are not worth checking while parts of the file could not be read.
  const { config, faults } = checkConfiguration(unparsed.length > 0 ? {} : value);
  const found = [...unparsed, ...problems, ...faults.map(problemOf)].toSorted(byPlace);
  if (config === null || found.length > 0) throw new ConfigurationError(found);
  if (isStoreUrl(config.kv) && !surroundings.environment[STORE_TOKEN_VARIABLE]) {
    throw new ConfigurationError([problemOf(storeTokenMissing)]);
  }

  return {
    config: deepFreeze(withAbsolutePaths(config, file, surroundings.projectFolder)),
    file,
    source: (path) => variableAt(path) ?? sourceInFile(yaml, path) ?? "default",
  };
}

/** By file, then by line and column as numbers. */
function byPlace(a: Problem, b: Problem): number {
  return a.place.localeCompare(b.place, "en", { numeric: true });
}

const storeTokenMissing: KeyFault = {
  path: ["kv"],
  part: "value",
  message:
    `is a KV Connect server, which needs its token in the environment variable ${STORE_TOKEN_VARIABLE}, ` +
    "found none",
};

/** `--config`, else `$PORTICO_CONFIG`, else the system's file if there is one. */
function chooseFile(args: readonly string[], surroundings: Surroundings): string | null {
  const named = configFileOption(args) || surroundings.environment[FILE_VARIABLE];
  if (named) return resolve(named);
  try {
    Deno.lstatSync(surroundings.systemFile);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    // There is something: reading it says what is wrong with it.
  }
  return surroundings.systemFile;
}

function readYaml(file: string): YamlFile {
  try {
    return parseYaml(file, Deno.readTextFileSync(file));
  } catch (error) {
    throw new ConfigurationError([{ place: file, key: "", message: unreadable(error) }]);
  }
}

/** Why a file cannot be read, and what to do. */
export function unreadable(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "cannot be read: there is no such file";
  if (error instanceof Deno.errors.IsADirectory) return "cannot be read: it is a folder";
  if (error instanceof Deno.errors.PermissionDenied) {
    return "cannot be read: the system does not allow it to this user";
  }
  if (error instanceof Deno.errors.NotCapable) {
    return "cannot be read: it was not named when the server started; a restart lets it";
  }
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

function sourceInFile(yaml: YamlFile | null, path: KeyPath): string | undefined {
  let value = yaml?.value;
  for (const step of path) {
    if (!isGroup(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return yaml === null || value === null ? undefined : yaml.place(path, "key");
}

/** The store's path starts at the project, those of certificates at the file that names them. */
function withAbsolutePaths(
  config: Configuration,
  file: string | null,
  projectFolder: string,
): Configuration {
  const inPlace = config.kv === MEMORY || isStoreUrl(config.kv);
  const certificateFolder = file === null ? projectFolder : dirname(file);
  const absolute = (path: string | null) => path === null ? null : resolve(certificateFolder, path);
  return {
    ...config,
    kv: inPlace ? config.kv : resolve(projectFolder, config.kv),
    hosts: config.hosts.map((host) => ({
      ...host,
      ssl_cert: absolute(host.ssl_cert),
      ssl_cert_key: absolute(host.ssl_cert_key),
    })),
  };
}
