/**
 * Opens the Deno KV that holds everything Portico knows: a file by default, a
 * KV Connect server by URL, or memory for tests. The only place that calls
 * `Deno.openKv`; what lies in the store is spelled in `keys.ts`.
 */
import { dirname, resolve } from "node:path";
import { waitWhenBusy } from "./busy.ts";
import { storeKeys } from "./keys.ts";

/** Grows when what lies in the store changes so that older code would misread it. */
const STORE_FORMAT = 1;
/** Milliseconds a store gets to answer its first request. */
const ANSWER_DEADLINE = 10_000;

/** The store cannot be used; the message says why and what to do, for a person. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

export class Store {
  readonly kv: Deno.Kv;
  readonly location: string;
  readonly #lock: Deno.FsFile | null;

  private constructor(kv: Deno.Kv, location: string, lock: Deno.FsFile | null) {
    this.kv = kv;
    this.location = location;
    this.#lock = lock;
  }

  /**
   * Opens the store at a path, at `:memory:` or at the `http(s)://` URL of a KV
   * Connect server. A file's folder is made when it is not there.
   *
   * Throws a {@linkcode StoreError} when the place cannot be written, does not
   * answer, is held by another process or was written by a newer Portico.
   */
  static open(location: string): Promise<Store> {
    if (location === ":memory:") return Store.#opened(location, null);
    if (/^https?:\/\//i.test(location)) return Store.#opened(location, null);
    return Store.#openFile(resolve(location));
  }

  static async #openFile(path: string): Promise<Store> {
    let lock: Deno.FsFile | null;
    try {
      await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
      lock = await lockFile(`${path}.lock`);
      await createPrivately(path);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      throw unusable(path, error);
    }
    try {
      return await Store.#opened(path, lock);
    } catch (error) {
      lock?.close();
      throw error;
    }
  }

  static async #opened(location: string, lock: Deno.FsFile | null): Promise<Store> {
    let kv: Deno.Kv;
    try {
      kv = await Deno.openKv(location);
      waitWhenBusy(kv);
    } catch (error) {
      throw unusable(location, error);
    }
    try {
      await checkFormat(kv, location);
    } catch (error) {
      kv.close();
      throw error instanceof StoreError ? error : unusable(location, error);
    }
    return new Store(kv, location, lock);
  }

  /** Ends every watch and lets another process open the store. */
  close(): void {
    this.kv.close();
    this.#lock?.close();
  }
}

/**
 * Takes the lock that says "this process has the store"; the system drops it
 * when the process ends, however it ends. Several processes on one file would
 * not see each other's publishes. Isolates of one process would: they see our
 * own process id in the file, and come in without a lock of their own (null).
 *
 * The lock is on a file beside the database, because closing any handle of a
 * SQLite file drops SQLite's own locks on it.
 */
async function lockFile(path: string): Promise<Deno.FsFile | null> {
  const file = await Deno.open(path, { read: true, write: true, create: true, mode: 0o600 });
  try {
    if (await file.tryLock(true)) {
      await file.truncate();
      await file.write(new TextEncoder().encode(String(Deno.pid)));
      return file;
    }
    const holder = (await Deno.readTextFile(path)).trim();
    if (holder !== String(Deno.pid)) {
      throw new StoreError(
        `The store ${path.slice(0, -".lock".length)} is in use by process ${
          holder || "unknown"
        }. ` +
          "Stop that process, or give this one a store of its own (the key kv of the configuration).",
      );
    }
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return null;
}

/** An empty file is an empty database; made here so that only its owner can read it. */
async function createPrivately(path: string): Promise<void> {
  (await Deno.open(path, { write: true, create: true, mode: 0o600 })).close();
}

/**
 * Refuses a store of a newer Portico. Writing the format also proves
 * that the store takes writes.
 */
async function checkFormat(kv: Deno.Kv, location: string): Promise<void> {
  await answered(location, async () => {
    const format = (await kv.get<number>(storeKeys.format)).value ?? STORE_FORMAT;
    if (format > STORE_FORMAT) {
      throw new StoreError(
        `The store ${location} was written by a newer Portico (format ${format}, this one reads ` +
          `${STORE_FORMAT}). Start that version again, or one later than it.`,
      );
    }
    await kv.set(storeKeys.format, STORE_FORMAT);
  });
}

/** A KV Connect client tries for ever; a start that hangs without a word helps nobody. */
async function answered(location: string, work: () => Promise<void>): Promise<void> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => deadline.reject(unusable(location, `no answer in ${ANSWER_DEADLINE / 1000} seconds`)),
    ANSWER_DEADLINE,
  );
  try {
    await Promise.race([work(), deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function unusable(location: string, reason: unknown): StoreError {
  const why = reason instanceof Error ? reason.message : String(reason);
  const wayOut = /^https?:/i.test(location)
    ? "Check the URL (the key kv of the configuration) and DENO_KV_ACCESS_TOKEN."
    : "Make its folder writable for the user that runs Portico, or name another path " +
      "(the key kv of the configuration).";
  return new StoreError(`The store ${location} cannot be used: ${why}. ${wayOut}`, {
    cause: reason,
  });
}
