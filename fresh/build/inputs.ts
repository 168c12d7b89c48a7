// Whether a build is still the one that its inputs would give: a hash over
// everything that went into it.
import { createHash } from "node:crypto";
import { join } from "node:path";

/** SHA-256, hexadecimal. */
export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** What is kept with a build, to find out later whether it still holds. */
export interface BuildRecord {
  /** Of `inputs` and the options of the build. */
  readonly hash: string;
  /** Absolute paths of the sources of the bundles, which only bundling can tell. */
  readonly sources: readonly string[];
}

const RECORD_FILE = "build.json";

/** The hash of files, by name and content, and of `options`. A file that is gone counts as such. */
export async function hashInputs(paths: Iterable<string>, options: unknown): Promise<string> {
  const sum = createHash("sha256").update(JSON.stringify(options));
  for (const path of [...new Set(paths)].sort()) {
    sum.update(`\0${path}\0`).update(await contentHash(path));
  }
  return sum.digest("hex");
}

async function contentHash(path: string): Promise<string> {
  try {
    return hashOf(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "gone";
    throw error;
  }
}

/** The record in a build's folder; null if there is no whole build. */
export async function readRecord(outDir: string): Promise<BuildRecord | null> {
  try {
    // Written by `writeRecord`, or broken, which the hash will tell.
    return JSON.parse(await Deno.readTextFile(join(outDir, RECORD_FILE))) as BuildRecord;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Marks the build in a folder as no longer whole: comes first when it is replaced. */
export async function removeRecord(outDir: string): Promise<void> {
  await Deno.remove(join(outDir, RECORD_FILE)).catch((error: unknown) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** Marks the build in a folder as whole: comes last. */
export async function writeRecord(outDir: string, record: BuildRecord): Promise<void> {
  await Deno.writeTextFile(join(outDir, RECORD_FILE), JSON.stringify(record));
}
