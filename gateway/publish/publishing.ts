/**
 * Publishing: drafts become what calls are decided by. The live version is held
 * in memory; whoever shares the store follows within a moment of a publish.
 */
import * as v from "valibot";
import type { Backends } from "../backends/backends.ts";
import type { Removal } from "../drafts/drafts.ts";
import { Fault } from "../faults.ts";
import type { Logger } from "../process/logger.ts";
import { text } from "../records/fields.ts";
import { withTransitionStarts } from "../records/transitions.ts";
import { validate } from "../records/validate.ts";
import { publishKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { type Watch, watchKey } from "../store/watch.ts";
import type { Websites } from "../websites/websites.ts";
import { type Change, contentChanges, withChanges } from "./changes.ts";
import { chosenChanges, idsOf } from "./chosen_changes.ts";
import { type Content, DamagedContent, noContent, packContent } from "./content.ts";
import { type Pointer, type Version, Versions, VERSIONS_KEPT } from "./versions.ts";

export type { Change } from "./changes.ts";
export type { Version } from "./versions.ts";

/** Ids of changed records that a version's history names. */
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

/** What is edited before it is published. */
export interface DraftCollections {
  readonly backends: Backends;
  readonly websites: Websites;
}

export interface LiveVersion extends Content {
  /** 1 for the first publish. */
  readonly version: number;
  /** ISO 8601. */
  readonly published_at: string;
  readonly published_by: string;
  readonly note: string;
}

export class Publishing {
  readonly #drafts: DraftCollections;
  readonly #versions: Versions;
  readonly #log: Logger;
  readonly #listeners: ((live: LiveVersion) => unknown)[] = [];
  #live: LiveVersion | null = null;
  /** The newest version looked at; it is live unless it was damaged. */
  #followed = 0;
  #watch: Watch | undefined;

  private constructor(store: Store, drafts: DraftCollections, log: Logger) {
    this.#drafts = drafts;
    this.#versions = new Versions(store);
    this.#log = log;
  }

  /** Loads what is live, clears up after publishes that were cut off, and follows from then on. */
  static async open(store: Store, drafts: DraftCollections, log: Logger): Promise<Publishing> {
    const publishing = new Publishing(store, drafts, log);
    await publishing.#versions.sweep();
    await publishing.#follow((await publishing.#versions.pointer()).value);
    publishing.#watch = watchKey<Pointer>(
      store,
      publishKeys.pointer,
      (entry) => publishing.#follow(entry.value),
      (error) => log.warn("publishes cannot be followed; trying again", { error }),
    );
    return publishing;
  }

  /** What calls are decided by; null before the first publish. */
  get live(): LiveVersion | null {
    return this.#live;
  }

  /**
   * Calls `listener` with every version that goes live from now on; whoever publishes
   * waits for it.
   */
  subscribe(listener: (live: LiveVersion) => unknown): void {
    this.#listeners.push(listener);
  }

  /** How the drafts differ from what is live. */
  async changes(): Promise<Change[]> {
    const [drafts, removals] = await Promise.all([this.#content(), this.#removals()]);
    return contentChanges(drafts, this.#live ?? noContent, removals);
  }

  /** What would be live if all changes were published now. */
  async next(): Promise<LiveVersion> {
    const published_at = new Date().toISOString();
    return {
      version: (this.#live?.version ?? 0) + 1,
      ...withStarts(await this.#content(), this.#live ?? noContent, published_at),
      published_at,
      published_by: "",
      note: "",
    };
  }

  /** The latest versions, newest first. */
  history(): Promise<Version[]> {
    return this.#versions.latest(VERSIONS_KEPT);
  }

  /**
   * Makes the chosen changes live, all or none of them. `input` as `publishInput`.
   *
   * Throws a `Fault`: 422 for an id that is neither a draft's nor that of something live,
   * `CONFLICT` when there is nothing to publish or another publish came first.
   */
  async publish(input: unknown, by: string): Promise<{ version: number }> {
    const { ids, note } = validate(publishInput, input ?? {});
    const pointer = await this.#versions.pointer();
    await this.#follow(pointer.value);
    const base = this.#live ?? noContent;
    const drafts = await this.#content();
    const chosen = chosenChanges(ids ?? null, drafts, base);
    const published_at = new Date().toISOString();
    const next: LiveVersion = {
      version: (pointer.value?.version ?? 0) + 1,
      ...withChanges(base, withStarts(drafts, base, published_at), chosen),
      published_at,
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

  /** The drafts as they would be published. */
  async #content(): Promise<Content> {
    const { backends, websites } = this.#drafts;
    const [apis, website_backends] = await Promise.all([backends.all(), websites.all()]);
    return { backends: apis, website_backends };
  }

  /** Who deleted which draft, by id. */
  async #removals(): Promise<Map<string, Removal>> {
    const { backends, websites } = this.#drafts;
    const removals = await Promise.all([backends.removals(), websites.removals()]);
    return new Map(removals.flatMap((ofKind) => [...ofKind]));
  }

  async #store(
    pointer: Deno.KvEntryMaybe<Pointer>,
    { backends, website_backends, ...about }: LiveVersion,
    changed: readonly string[],
  ): Promise<boolean> {
    const content = await packContent({ backends, website_backends });
    const staged = await this.#versions.stage(about.version, content);
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
      const live = idsOf(this.#live ?? noContent);
      for (const drafts of [this.#drafts.backends, this.#drafts.websites]) {
        const removals = await drafts.removals();
        await drafts.forgetRemovals(removals.keys().filter((id) => !live.has(id)));
      }
    } catch (error) {
      this.#log.warn("left-overs of a publish stay in the store for now", { error });
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
        const { version, content } = await this.#versions.load(number);
        const { published_at, published_by, note } = version;
        return { version: number, ...content, published_at, published_by, note };
      } catch (error) {
        if (!(error instanceof DamagedContent)) throw error;
        this.#log.error("a published version is damaged; the one before it is used", {
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
      this.#log.error("a published version could not be put to use", {
        version: live.version,
        error,
      });
    }
  }
}

/** The drafts as they would go live now: with the moments at which their transitions began. */
function withStarts(drafts: Content, live: Content, now: string): Content {
  const liveById = new Map(live.backends.map((backend) => [backend.id, backend]));
  return {
    ...drafts,
    backends: drafts.backends.map((draft) =>
      withTransitionStarts(draft, liveById.get(draft.id), now)
    ),
  };
}
