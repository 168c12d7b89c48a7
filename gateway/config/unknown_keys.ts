/**
 * Finds keys that the configuration does not have. Every one of them, before
 * anything else is checked: a misspelt key would otherwise be a setting that is
 * silently not in force.
 */
import { nearestName } from "../records/validate.ts";
import { configurationKeys, keysWithin } from "./keys.ts";
import { keyName, type KeyPath } from "./problems.ts";

/** A copy of `value` without unknown keys, each of which is handed to `report`. */
export function withoutUnknownKeys(
  value: unknown,
  report: (path: KeyPath, message: string) => void,
  path: KeyPath = [],
): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => withoutUnknownKeys(item, report, [...path, index]));
  }
  const allowed = keysWithin(path);
  if (typeof value !== "object" || value === null || allowed === undefined) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const at = [...path, name];
      if (allowed.includes(name)) return [[name, withoutUnknownKeys(inner, report, at)]];
      report(at, unknownKey(name, allowed));
      return [];
    }),
  );
}

function unknownKey(name: string, allowed: readonly string[]): string {
  const nearest = nearestName(name, allowed) ?? keyElsewhere(name);
  const suggestion = nearest === undefined ? "" : `, did you mean "${nearest}"?`;
  return `is not a known key${suggestion || "."} Allowed here: ${allowed.join(", ")}`;
}

/** The key of that name in another group, by its full name. */
function keyElsewhere(name: string): string | undefined {
  const key = configurationKeys.find(({ path }) => path.at(-1) === name);
  return key === undefined ? undefined : keyName(key.path);
}
