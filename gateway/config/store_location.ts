/** What the key `kv` can name: a file, memory, or a KV Connect server. */
import { dirname } from "node:path";

/** A store that is lost when the process ends. */
export const MEMORY = ":memory:";

/** Whether the location is the URL of a KV Connect server. */
export function isStoreUrl(location: string): boolean {
  return /^https?:\/\//i.test(location) && URL.canParse(location);
}

/** The folder that holds the store's file and what is kept beside it; null when there is none. */
export function dataFolder(location: string): string | null {
  return location === MEMORY || isStoreUrl(location) ? null : dirname(location);
}
