/** How many files (sockets among them) this process has open, nearly. */
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Some file that may be read. */
const FILE = fileURLToPath(import.meta.url);

/**
 * A new descriptor gets the lowest number that is free (POSIX `open`), so all below it
 * are in use: that many files are open, and more if some low number came free a moment
 * ago. `Infinity` when no file can be opened any more. Takes about 8 µs. /proc says it
 * exactly, but reading it takes every permission there is.
 */
export function openFiles(): number {
  try {
    const descriptor = openSync(FILE, "r");
    closeSync(descriptor);
    return descriptor;
  } catch {
    return Infinity;
  }
}
