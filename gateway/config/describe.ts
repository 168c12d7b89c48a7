/** The configuration in force, key by key, with where each value comes from. */
import { configurationKeys, isSecret } from "./keys.ts";
import type { LoadedConfiguration } from "./load.ts";
import { keyName, type KeyPath, shown } from "./problems.ts";

/** One line a key: name, value and source in columns. Secrets are not shown. */
export function describeConfiguration(loaded: LoadedConfiguration): string {
  const rows = configurationKeys.filter(({ isGroup }) => !isGroup).map(({ path }) => [
    keyName(path),
    shown(valueAt(loaded.config, path), isSecret(path)),
    loaded.source(path),
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd())
    .join("\n");
}

function valueAt(whole: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown> | undefined)?.[step],
    whole,
  );
}
