/**
 * What is wrong with a configuration, in words: where it stands, which key, what
 * was found and what is allowed. All problems are told at once, and no secret.
 */

/** Steps from the top of the configuration to a key: `["hosts", 0, "hostname"]`. */
export type KeyPath = readonly (string | number)[];

export interface Problem {
  /** `portico.yml:3:12` (line and column from 1), an environment variable or an option. */
  readonly place: string;
  /** The key to blame, such as `hosts[0].hostname`; empty when it is none of them. */
  readonly key: string;
  readonly message: string;
}

/** Nothing starts with a configuration like this; the process ends with code 2. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemLine).join("\n"));
    this.problems = problems;
  }
}

function problemLine({ place, key, message }: Problem): string {
  return key === "" ? `${place}: ${message}` : `${place}: ${key}: ${message}`;
}

/** `["hosts", 0, "hostname"]` as `hosts[0].hostname`. */
export function keyName(path: KeyPath): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === "number") return `${name}[${step}]`;
    return name === "" ? step : `${name}.${step}`;
  }, "");
}

const LONGEST_SHOWN = 80; // characters

/** A value as an error or a listing may show it: short, on one line, without secrets. */
export function shown(value: unknown, secret: boolean): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) {
    return secret || value.some(isStructure) ? `a list of ${value.length}` : cut(value);
  }
  if (isStructure(value)) return "a group of keys";
  if (secret || isPrivateKey(value)) return `a secret of ${String(value).length} characters`;
  return cut(typeof value === "string" ? withoutCredentials(value) : value);
}

function isStructure(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** One that was put where a certificate or a file's name belongs. */
function isPrivateKey(value: unknown): boolean {
  return typeof value === "string" && value.includes("PRIVATE KEY-----");
}

function cut(value: unknown): string {
  // JSON knows no Infinity or NaN, YAML does.
  const text = typeof value === "number" ? String(value) : JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** User name and password of a URL have no place in a log. */
function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/\s]*@/g, "//…@");
}
