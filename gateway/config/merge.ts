/**
 * Lays the environment's overrides over the file's values and remembers which
 * variable a value came from. Groups of keys merge; lists and plain values replace.
 */
import type { Override } from "./environment.ts";
import type { KeyPath } from "./problems.ts";

type Group = Readonly<Record<string, unknown>>;

export interface Merged {
  readonly value: unknown;
  /** Name of the variable that the value at `path`, or what holds it, was set by. */
  variableAt(path: KeyPath): string | undefined;
}

export function mergeOverrides(base: unknown, overrides: readonly Override[]): Merged {
  const value = overrides.reduce((merged, { path, value }) => put(merged, path, value), base);
  return {
    value,
    variableAt: (path) => overrides.findLast((override) => sets(override, path))?.name,
  };
}

function put(target: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return mergeValues(target, value);
  const group = target ?? {};
  // A plain value where a group belongs stays, so that the check can find fault with it.
  return isGroup(group) ? { ...group, [name]: put(group[name], rest, value) } : target;
}

function mergeValues(below: unknown, above: unknown): unknown {
  if (!isGroup(below) || !isGroup(above)) return above;
  return Object.entries(above).reduce<Group>(
    (merged, [name, value]) => ({ ...merged, [name]: mergeValues(merged[name], value) }),
    below,
  );
}

function sets(override: Override, path: KeyPath): boolean {
  if (!override.path.every((name, index) => path[index] === name)) return false;
  let value = override.value;
  for (const step of path.slice(override.path.length)) {
    if (!isGroup(value)) return true; // It was replaced as a whole.
    if (!Object.hasOwn(value, step)) return false;
    value = value[step];
  }
  return true;
}

/** Whether a YAML value is keys and values. */
export function isGroup(value: unknown): value is Group {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
