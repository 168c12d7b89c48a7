/**
 * Records as admins edit them: drafts, which no call meets before they are published
 * (`gateway/publish/`). API backends and website backends are such.
 */
import type * as v from "valibot";
import type { DraftStamps } from "../records/stamps.ts";
import { validate } from "../records/validate.ts";
import {
  Collection,
  type CollectionOptions,
  type Page,
  type PageRequest,
} from "../store/collection.ts";
import { deleteKeys } from "../store/deletion.ts";
import { draftKeys } from "../store/keys.ts";
import { completedFields, settableFields, stampFields } from "../store/record_input.ts";
import { drawNumber } from "../store/sequence.ts";
import type { Store } from "../store/store.ts";

/** Who deleted a draft, told by Publish Changes once the draft itself is gone. */
export interface Removal {
  readonly removed_at: string;
  readonly removed_by: string;
}

/** The fields of a draft that nobody sets from outside. */
export const draftStampFields = [
  ...stampFields,
  "created_order",
] as const satisfies readonly (keyof DraftStamps)[];

type Ordered<F extends object> = F & Pick<DraftStamps, "created_order">;

export interface DraftKind<F extends object> extends CollectionOptions<Ordered<F>> {
  /** What an admin sends. */
  readonly schema: v.GenericSchema<unknown, F>;
}

export class Drafts<F extends object> {
  readonly #store: Store;
  readonly #kind: DraftKind<F>;
  readonly #collection: Collection<Ordered<F>>;

  constructor(store: Store, kind: DraftKind<F>) {
    this.#store = store;
    this.#kind = kind;
    this.#collection = new Collection(store, kind);
  }

  /** In the order of creation. Throws a `Fault` (422) on `limit` or `cursor`. */
  list(page: PageRequest): Promise<Page<F & DraftStamps>> {
    return this.#collection.list(page);
  }

  /** Every draft, in the order of creation. */
  all(): Promise<(F & DraftStamps)[]> {
    return this.#collection.all();
  }

  /** Throws a `Fault` `NOT_FOUND`. */
  get(id: string): Promise<F & DraftStamps> {
    return this.#collection.get(id);
  }

  /** Throws a `Fault` (422) that lists every bad field. */
  async create(input: unknown, by: string): Promise<F & DraftStamps> {
    const fields = validate(this.#kind.schema, settableFields(input, draftStampFields));
    const created_order = await drawNumber(this.#store, draftKeys.createdOrder(this.#kind.name));
    return await this.#collection.create({ ...fields, created_order }, by);
  }

  /**
   * Fields left out keep their value; a field that is sent is replaced whole.
   * Throws a `Fault`: `NOT_FOUND`, 422 with every bad field, `STALE` when
   * `ifVersion` is not the draft's version.
   */
  change(id: string, input: unknown, by: string, ifVersion?: number): Promise<F & DraftStamps> {
    const edit = (draft: F & DraftStamps): Ordered<F> => ({
      ...validate(this.#kind.schema, completedFields(draft, input, draftStampFields)),
      created_order: draft.created_order,
    });
    return this.#collection.change(id, edit, by, ifVersion);
  }

  /**
   * Deletes the draft; what is published stays live until that is published too.
   * Throws a `Fault`: `NOT_FOUND`, `STALE`.
   */
  async remove(id: string, ifVersion?: number, by = ""): Promise<void> {
    const removal: Removal = { removed_at: new Date().toISOString(), removed_by: by };
    await this.#collection.remove(id, ifVersion, () =>
      Promise.resolve((commit) => {
        commit.set(draftKeys.removal(this.#kind.name, id), removal);
      }));
  }

  /** Who deleted which draft since deletions were last forgotten, by id. */
  async removals(): Promise<Map<string, Removal>> {
    const removals = new Map<string, Removal>();
    const prefix = draftKeys.removals(this.#kind.name);
    for await (const entry of this.#store.kv.list<Removal>({ prefix })) {
      removals.set(String(entry.key.at(-1)), entry.value);
    }
    return removals;
  }

  /** Forgets who deleted these; for deletions that are published, or never need to be. */
  async forgetRemovals(ids: Iterable<string>): Promise<void> {
    const keys = Iterator.from(ids).map((id) => draftKeys.removal(this.#kind.name, id));
    await deleteKeys(this.#store.kv, keys);
  }
}
