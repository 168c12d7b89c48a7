/**
 * Publishing: drafts become what calls are decided by. The live version is held
 * in memory; whoever shares the store follows within a moment of a publish.
 */
import * as v from "valibot";
import type { Backends } from "../backends/backends.ts";
import { Fault, type FieldError } from "../faults.ts";
import type { Logger } from "../process/logger.ts";
import type { Backend } from "../records/backend.ts";
import { text } from "../records/fields.ts";
import { validate } from "../records/validate.ts";
import { publishKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { type Watch, watchKey } from "../store/watch.ts";
import { type Change, draftChanges, withChanges } from "./changes.ts";
import { DamagedContent, packContent } from "./content.ts";
import { type Pointer, type Version, Versions, VERSIONS_KEPT } from "./versions.ts";

export type { Change } from "./changes.ts";
export type { Version } from "./versions.ts";

/** Ids of changed backends that a version's history names. */
const CHANGED_IDS_MAX = 1000;

/** What an admin sends to publish: which changes (none named: all), and why. */
export const publishInput = v.strictObject({
  ids: v.nullish(
    v.pipe(
      v.array(v.string()),
      v.minLength(1, "must name at least one change; leave it out to publish all"),
    ),
  ),
  note: v.nullish(text(2000), ""),
});

export interface LiveVersion {
  /** 1 for the first publish. */
  readonly version: number;
  /** In the order of `created_order`. */
  readonly backends: readonly Backend[];
  /** ISO 8601. */
  readonly published_at: string;
  readonly published_by: string;
  readonly note: string;
}

export class Publishing {
  readonly #backends: Backends;
  readonly #versions: Versions;
  readonly #log: Logger;
  readonly #listeners: ((live: LiveVersion) => unknown)[] = [];
  #live: LiveVersion | null = null;
  /** The newest version looked at; it is live unless it was damaged. */
  #followed = 0;
  #watch: Watch | undefined;

  private constructor(store: Store, backends: Backends, log: Logger) {
    this.#backends = backends;
    this.#versions = new Versions(store);
    this.#log = log;
  }

  /** Loads what is live, clears up after publishes that were cut off, and follows from then on. */
  static async open(store: Store, backends: Backends, log: Logger): Promise<Publishing> {
    const publishing = new Publishing(store, backends, log);
    await publishing.#versions.sweep();
    await publishing.#follow((await publishing.#versions.pointer()).value);
    publishing.#watch = watchKey<Pointer>(
      store,
      publishKeys.pointer,
      (entry) => publishing.#follow(entry.value),
      (error) => log.warn("Publishes cannot be followed; trying again", { error }),
    );
    return publishing;
  }

  /** What calls are decided by; null before the first publish. */
  get live(): LiveVersion | null {
    return this.#live;
  }

  /** Calls `listener` with every version that goes live from now on; whoever publishes waits for it. */
  subscribe(listener: (live: LiveVersion) => unknown): void {
    this.#listeners.push(listener);
  }

  /** How the drafts differ from what is live. */
  async changes(): Promise<Change[]> {
    const [drafts, removals] = await Promise.all([this.#backends.all(), this.#backends.removals()]);
    return draftChanges(drafts, this.#live?.backends ?? [], removals);
  }

  /** The latest versions, newest first. */
  history(): Promise<Version[]> {
    return this.#versions.latest(VERSIONS_KEPT);
  }

  /**
   * Makes the chosen changes live, all or none of them. `input` as `publishInput`.
   *
   * Throws a `Fault`: 422 for an id that is neither a draft's nor a live backend's,
   * `CONFLICT` when there is nothing to publish or another publish came first.
   */
  async publish(input: unknown, by: string): Promise<{ version: number }> {
    const { ids, note } = validate(publishInput, input ?? {});
    const pointer = await this.#versions.pointer();
    await this.#follow(pointer.value);
    const base = this.#live?.backends ?? [];
    const drafts = await this.#backends.all();
    const chosen = chosenChanges(ids ?? null, drafts, base);
    const next: LiveVersion = {
      version: (pointer.value?.version ?? 0) + 1,
      backends: withChanges(base, drafts, chosen),
      published_at: new Date().toISOString(),
      published_by: by,
      note,
    };
    if (!await this.#store(pointer, next, [...chosen])) {
      await this.#clearUp(next.version);
      throw new Fault(
        "CONFLICT",
        "Somebody else published at the same time. Look at what is left to publish, and repeat.",
      );
    }
    await this.#goLive(next);
    await this.#clearUp(next.version);
    return { version: next.version };
  }

  /** Stops following. */
  async close(): Promise<void> {
    await this.#watch?.close();
  }

  async #store(
    pointer: Deno.KvEntryMaybe<Pointer>,
    { backends, ...about }: LiveVersion,
    changed: readonly string[],
  ): Promise<boolean> {
    const staged = await this.#versions.stage(about.version, await packContent(backends));
    const changed_ids = changed.slice(0, CHANGED_IDS_MAX);
    return await this.#versions.flip(
      pointer,
      { ...about, changed_ids, changed_count: changed.length },
      staged,
    );
  }

  /** What is done is done: a failure here costs room in the store, and the next start makes up. */
  async #clearUp(version: number): Promise<void> {
    try {
      await this.#versions.sweep(version);
      const live = new Set(this.#live?.backends.map(({ id }) => id));
      const removals = await this.#backends.removals();
      await this.#backends.forgetRemovals(removals.keys().filter((id) => !live.has(id)));
    } catch (error) {
      this.#log.warn("Left-overs of a publish stay in the store for now", { error });
    }
  }

  async #follow(pointer: Pointer | null): Promise<void> {
    if (pointer === null || pointer.version <= this.#followed) return;
    const newest = await this.#newestWhole(pointer.version);
    this.#followed = Math.max(this.#followed, pointer.version);
    if (newest !== null) await this.#goLive(newest);
  }

  /** The newest version up to `from` that is whole and newer than what is live. */
  async #newestWhole(from: number): Promise<LiveVersion | null> {
    const oldest = Math.max(this.#live?.version ?? 0, from - VERSIONS_KEPT);
    for (let number = from; number > oldest; number--) {
      try {
        const { version, backends } = await this.#versions.load(number);
        const { published_at, published_by, note } = version;
        return { version: number, backends, published_at, published_by, note };
      } catch (error) {
        if (!(error instanceof DamagedContent)) throw error;
        this.#log.error("A published version is damaged; the one before it is used", {
          version: number,
          damage: error.message,
        });
      }
    }
    return null;
  }

  async #goLive(next: LiveVersion): Promise<void> {
    if (next.version <= (this.#live?.version ?? 0)) return;
    this.#live = next;
    await Promise.all(this.#listeners.map((listener) => this.#tell(listener, next)));
  }

  async #tell(listener: (live: LiveVersion) => unknown, live: LiveVersion): Promise<void> {
    try {
      await listener(live);
    } catch (error) {
      this.#log.error("A published version could not be put to use", {
        version: live.version,
        error,
      });
    }
  }
}

/** Ids of the changes to publish. Throws what `publish` says. */
function chosenChanges(
  ids: readonly string[] | null,
  drafts: readonly Backend[],
  live: readonly Backend[],
): Set<string> {
  const changed = draftChanges(drafts, live, new Map()).map(({ id }) => id);
  if (ids !== null) refuseUnknown(ids, new Set([...drafts, ...live].map(({ id }) => id)));
  const chosen = ids === null ? new Set(changed) : new Set(changed).intersection(new Set(ids));
  if (chosen.size > 0) return chosen;
  throw new Fault(
    "CONFLICT",
    changed.length === 0
      ? "There is nothing to publish: every API backend is live as it is."
      : "There is nothing to publish: what was chosen is live as it is.",
  );
}

function refuseUnknown(ids: readonly string[], known: ReadonlySet<string>): void {
  const errors: FieldError[] = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{
      code: "INVALID_INPUT",
      message: "is the id of no API backend",
      field: `ids[${index}]`,
    }]
  );
  if (errors.length > 0) throw new Fault("INVALID_INPUT", errors);
}
