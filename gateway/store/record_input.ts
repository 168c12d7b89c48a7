/**
 * What somebody sends for a record, before it is validated. A record may be sent
 * back as it was read: the fields that the server owns are left aside, not refused.
 */
import type { RecordStamps } from "../records/stamps.ts";

/** The fields of every record that nobody sets from outside. */
export const stampFields = [
  "id",
  "created_at",
  "created_by",
  "updated_at",
  "updated_by",
  "version",
] as const satisfies readonly (keyof RecordStamps)[];

/** `input` without the fields that the server owns. Anything but an object stays as it is. */
export function settableFields(input: unknown, serverFields: readonly string[]): unknown {
  return isObject(input) ? without(input, serverFields) : input;
}

/** `input` completed by the value that `current` has for each field left out. */
export function completedFields(
  current: object,
  input: unknown,
  serverFields: readonly string[],
): unknown {
  if (!isObject(input)) return input;
  return { ...without(current, serverFields), ...without(input, serverFields) };
}

function without(record: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
