/**
 * The environment variables that override the file: `http_port` is
 * `PORTICO_HTTP_PORT`, `router.trusted_proxies` is `PORTICO_ROUTER__TRUSTED_PROXIES`.
 * Their values are YAML.
 */
import { nearestName } from "../records/validate.ts";
import { configurationKeys, takesText } from "./keys.ts";
import type { Problem } from "./problems.ts";
import { parseYaml } from "./yaml_file.ts";

const PREFIX = "PORTICO_";
/** Names the configuration file; it overrides no key. */
export const FILE_VARIABLE = "PORTICO_CONFIG";
/** The token for a KV Connect server, which the runtime itself reads. */
export const STORE_TOKEN_VARIABLE = "DENO_KV_ACCESS_TOKEN";
/** The YAML parser looks at these for its own debugging. */
const PARSER_VARIABLES = ["LOG_STREAM", "LOG_TOKENS"];

/** What the server reads of the environment, as `--allow-env` takes it. */
export const environmentPermissions = [`${PREFIX}*`, STORE_TOKEN_VARIABLE, ...PARSER_VARIABLES];

export type Environment = Readonly<Record<string, string>>;

export interface Override {
  /** The variable's name. */
  readonly name: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The variable for the key at `path`. */
function variableName(path: readonly string[]): string {
  return PREFIX + path.join("__").toUpperCase();
}

const pathOfVariable = new Map(
  configurationKeys.map(({ path }) => [variableName(path), path]),
);

/**
 * The variables Portico goes by. A process that may see the whole environment sees
 * misspelt names too; the server may not, and asks for the names it knows.
 */
export function readEnvironment(): Environment {
  if (Deno.permissions.querySync({ name: "env" }).state === "granted") return Deno.env.toObject();
  const names = [FILE_VARIABLE, STORE_TOKEN_VARIABLE, ...pathOfVariable.keys()];
  return Object.fromEntries(names.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

/**
 * The overrides of an environment, groups before the keys in them. An
 * empty variable sets nothing.
 */
export function environmentOverrides(
  environment: Environment,
): { overrides: readonly Override[]; problems: readonly Problem[] } {
  const overrides: Override[] = [];
  const problems: Problem[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(PREFIX) || name === FILE_VARIABLE || text.trim() === "") continue;
    if (isServiceLink(name, text)) continue;
    const path = pathOfVariable.get(name);
    if (path === undefined) {
      problems.push({ place: name, key: "", message: unknownVariable(name) });
      continue;
    }
    const parsed = parseYaml(name, text);
    const asText = takesText(path) && !isTextOrNull(parsed.value);
    if (!asText) problems.push(...parsed.problems);
    overrides.push({ name, path, value: asText ? text : parsed.value });
  }
  overrides.sort((a, b) => a.path.length - b.path.length);
  return { overrides, problems };
}

function isTextOrNull(value: unknown): boolean {
  return typeof value === "string" || value === null;
}

/**
 * Container platforms set such variables for a service that happens to be called
 * "portico": `PORTICO_SERVICE_HOST`, `PORTICO_PORT=tcp://10.0.0.1:80`.
 */
function isServiceLink(name: string, value: string): boolean {
  if (pathOfVariable.has(name)) return false;
  return /_SERVICE_(HOST|PORT)(_|$)/.test(name) || /_PORT_\d+_(TCP|UDP|SCTP)(_|$)/.test(name) ||
    (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value));
}

function unknownVariable(name: string): string {
  const nearest = nearestName(name, [FILE_VARIABLE, ...pathOfVariable.keys()]);
  const suggestion = nearest === undefined ? "" : `, did you mean ${nearest}?`;
  return `is not a variable of Portico${suggestion}`;
}
