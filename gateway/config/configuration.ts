/**
 * The configuration the server runs on: validated, complete and never changed.
 * A reload makes a new one and swaps it whole.
 */
import * as v from "valibot";
import { configurationSchema } from "./schema.ts";

/** Times are in the unit their name ends in; `kv` is an absolute path once loaded. */
export type Configuration = Readonly<v.InferOutput<typeof configurationSchema>>;

/** What Portico runs on when neither a file nor the environment says anything. */
export const defaultConfiguration: Configuration = deepFreeze(v.parse(configurationSchema, {}));

/** Freezes a plain value and all it holds; gives it back. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}
