/**
 * Records of one kind in the store: stamped, versioned, counted and indexed.
 * Everything that belongs to a change (record, indexes, count) is one atomic
 * commit with a check on what was read, so no reader ever meets half of it and
 * no writer overwrites what it has not seen.
 */
import { serialize } from "node:v8";
import { Fault, invalidField } from "../faults.ts";
import type { RecordStamps } from "../records/stamps.ts";
import { collectionKeys } from "./keys.ts";
import { VALUE_MAX_BYTES } from "./limits.ts";
import { cursorAfter, type Page, pageLimit, type PageRequest, pageStart } from "./page.ts";
import { isRecordId, newRecordId } from "./record_id.ts";
import type { Store } from "./store.ts";
import { Turns } from "./turns.ts";

export type { Page, PageRequest } from "./page.ts";

/** Entries read from the store at a time. */
const BATCH = 500;
/** Other processes may win a commit; so many times in a row means something is wrong. */
const ATTEMPTS_MAX = 50;
/** 64 bits wrap around, so adding this takes one away. */
const MINUS_ONE = 2n ** 64n - 1n;

export type Stored<F extends object> = F & RecordStamps;

/** A further key under which a record, or a part of it, is found. */
export interface IndexEntry {
  readonly key: Deno.KvKey;
  readonly value: unknown;
  /** Set when no two records may share the key: the field to blame if one tries. */
  readonly unique?: string;
}

export interface CollectionOptions<F extends object> {
  /** First element of the records' keys. */
  readonly name: string;
  /** What one record is called in messages, such as "API backend". */
  readonly noun: string;
  /** The record's index entries. A commit has room for nine unique ones. */
  readonly indexes?: (record: Stored<F>) => readonly IndexEntry[];
}

/**
 * What else changes in the commit that turns `before` into `after` (null: is not
 * there). Called again with fresh values whenever the commit has to be retried.
 */
export type Alongside<F extends object> = (
  before: Stored<F> | null,
  after: Stored<F> | null,
) => Promise<(commit: Deno.AtomicOperation) => void>;

export class Collection<F extends object> {
  readonly #kv: Deno.Kv;
  readonly #options: CollectionOptions<F>;
  /** Writers in this process queue; only those of other processes can get in between. */
  readonly #turns = new Turns();

  constructor(store: Store, options: CollectionOptions<F>) {
    this.#kv = store.kv;
    this.#options = options;
  }

  /** The record, or null when there is none, or the id is none of ours. */
  async find(id: string): Promise<Stored<F> | null> {
    return (await this.#read(id))?.value ?? null;
  }

  /** Throws a `Fault` `NOT_FOUND`. */
  async get(id: string): Promise<Stored<F>> {
    return (await this.find(id)) ?? this.#missing();
  }

  /**
   * A page in the order of creation, of all records or of those that `matches`
   * picks (which reads them all). Throws a `Fault` (422) on `limit` or `cursor`.
   */
  async list(
    request: PageRequest,
    matches?: (record: Stored<F>) => boolean,
  ): Promise<Page<Stored<F>>> {
    const limit = pageLimit(request);
    const after = pageStart(request);
    return matches === undefined
      ? await this.#plainPage(limit, after)
      : await this.#pickedPage(limit, after, matches);
  }

  /** Every record, in the order of creation. */
  async all(): Promise<Stored<F>[]> {
    const records: Stored<F>[] = [];
    for await (const record of this.#records()) records.push(record);
    return records;
  }

  /** How many records there are. */
  async count(): Promise<number> {
    const entry = await this.#kv.get<Deno.KvU64>(collectionKeys.count(this.#options.name));
    return Number(entry.value?.value ?? 0n);
  }

  /** Throws a `Fault` (422) when the record is too large or a unique key is taken. */
  create(fields: F, by: string, alongside?: Alongside<F>): Promise<Stored<F>> {
    return this.#turns.take(async () => {
      const now = new Date().toISOString();
      const record: Stored<F> = {
        ...fields,
        id: newRecordId(),
        created_at: now,
        created_by: by,
        updated_at: now,
        updated_by: by,
        version: 1,
      };
      return await this.#retry(async () =>
        await this.#commit(record.id, null, record, alongside) ? record : undefined
      );
    });
  }

  /**
   * Replaces a record's fields by what `edit` makes of the record. With `ifVersion`,
   * only that version is changed: throws a `Fault` `STALE` when it is another.
   * Throws `NOT_FOUND`, and what `create` throws.
   */
  change(
    id: string,
    edit: (record: Stored<F>) => F,
    by: string,
    ifVersion?: number,
    alongside?: Alongside<F>,
  ): Promise<Stored<F>> {
    return this.#turns.take(() =>
      this.#retry(async () => {
        const before = await this.#readVersion(id, ifVersion);
        const { created_at, created_by, version } = before.value;
        const after: Stored<F> = {
          ...edit(before.value),
          id,
          created_at,
          created_by,
          updated_at: new Date().toISOString(),
          updated_by: by,
          version: version + 1,
        };
        return await this.#commit(id, before, after, alongside) ? after : undefined;
      })
    );
  }

  /** Removes a record and gives what it was. Throws a `Fault`: `NOT_FOUND`, `STALE`. */
  remove(id: string, ifVersion?: number, alongside?: Alongside<F>): Promise<Stored<F>> {
    return this.#turns.take(() =>
      this.#retry(async () => {
        const before = await this.#readVersion(id, ifVersion);
        return await this.#commit(id, before, null, alongside) ? before.value : undefined;
      })
    );
  }

  async #read(id: string): Promise<Deno.KvEntry<Stored<F>> | null> {
    if (!isRecordId(id)) return null;
    const entry = await this.#kv.get<Stored<F>>(collectionKeys.record(this.#options.name, id));
    return entry.versionstamp === null ? null : entry;
  }

  async #readVersion(id: string, ifVersion: number | undefined): Promise<Deno.KvEntry<Stored<F>>> {
    const entry = await this.#read(id) ?? this.#missing();
    if (ifVersion !== undefined && entry.value.version !== ifVersion) {
      throw new Fault(
        "STALE",
        `This ${this.#options.noun} was changed in the meantime, by ${entry.value.updated_by}. ` +
          "Load it again and repeat the change.",
      );
    }
    return entry;
  }

  async *#records(after?: string): AsyncGenerator<Stored<F>> {
    const prefix = collectionKeys.records(this.#options.name);
    // The least key that is greater than the one of the id.
    const selector = after === undefined
      ? { prefix }
      : { prefix, start: [...prefix, `${after}\0`] };
    for await (const entry of this.#kv.list<Stored<F>>(selector, { batchSize: BATCH })) {
      yield entry.value;
    }
  }

  async #plainPage(limit: number, after: string | undefined): Promise<Page<Stored<F>>> {
    const items: Stored<F>[] = [];
    let more = false;
    for await (const record of this.#records(after)) {
      more = items.length === limit;
      if (more) break;
      items.push(record);
    }
    return { items, next_cursor: nextCursor(items, more), total: await this.count() };
  }

  async #pickedPage(
    limit: number,
    after: string | undefined,
    matches: (record: Stored<F>) => boolean,
  ): Promise<Page<Stored<F>>> {
    const items: Stored<F>[] = [];
    let more = false;
    let total = 0;
    for await (const record of this.#records()) {
      if (!matches(record)) continue;
      total++;
      if (after !== undefined && record.id <= after) continue;
      if (items.length < limit) items.push(record);
      else more = true;
    }
    return { items, next_cursor: nextCursor(items, more), total };
  }

  /** Tries to commit a change; false when somebody else changed the record first. */
  async #commit(
    id: string,
    before: Deno.KvEntry<Stored<F>> | null,
    after: Stored<F> | null,
    alongside: Alongside<F> | undefined,
  ): Promise<boolean> {
    const { name } = this.#options;
    const key = collectionKeys.record(name, id);
    const commit = this.#kv.atomic().check(before ?? { key, versionstamp: null });
    if (after === null) {
      commit.delete(key).sum(collectionKeys.count(name), MINUS_ONE);
    } else {
      this.#refuseTooLarge(after);
      commit.set(key, after);
      if (before === null) commit.sum(collectionKeys.count(name), 1n);
    }
    await this.#index(commit, before?.value ?? null, after);
    (await alongside?.(before?.value ?? null, after))?.(commit);
    return (await commit.commit()).ok;
  }

  async #index(
    commit: Deno.AtomicOperation,
    before: Stored<F> | null,
    after: Stored<F> | null,
  ): Promise<void> {
    const entries = (record: Stored<F> | null) =>
      new Map(
        (record === null ? [] : this.#options.indexes?.(record) ?? [])
          .map((entry) => [JSON.stringify(entry.key.map(spelled)), entry]),
      );
    const [old, next] = [entries(before), entries(after)];
    for (const [spelling, entry] of old) if (!next.has(spelling)) commit.delete(entry.key);
    for (const [spelling, entry] of next) {
      commit.set(entry.key, entry.value);
      if (entry.unique === undefined || old.has(spelling)) continue;
      if ((await this.#kv.get(entry.key)).versionstamp !== null) {
        throw invalidField(entry.unique, "is already taken");
      }
      commit.check({ key: entry.key, versionstamp: null });
    }
  }

  #refuseTooLarge(record: Stored<F>): void {
    const bytes = serialize(record).byteLength;
    if (bytes <= VALUE_MAX_BYTES) return;
    throw new Fault("INVALID_INPUT", [{
      code: "INVALID_INPUT",
      message: `This ${this.#options.noun} is too large to be stored: ${bytes} bytes, and ` +
        `${VALUE_MAX_BYTES} is the most. Shorten its lists or texts.`,
    }]);
  }

  async #retry<R>(attempt: () => Promise<R | undefined>): Promise<R> {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
      const result = await attempt();
      if (result !== undefined) return result;
    }
    throw new Fault("UNAVAILABLE", "The store is too busy with other changes. Try again.", {
      retryAfter: 1,
      internal: `${ATTEMPTS_MAX} commits in a row lost in the collection ${this.#options.name}`,
    });
  }

  #missing(): never {
    throw new Fault("NOT_FOUND", `This ${this.#options.noun} does not exist.`);
  }
}

function nextCursor(items: readonly RecordStamps[], more: boolean): string | null {
  const last = items.at(-1);
  return more && last !== undefined ? cursorAfter(last.id) : null;
}

/** A part of a key as something JSON can tell apart. */
function spelled(part: Deno.KvKeyPart): unknown {
  return part instanceof Uint8Array ? ["bytes", ...part] : [typeof part, String(part)];
}
