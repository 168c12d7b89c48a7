/**
 * API backends as admins edit them: drafts, which no call meets before they are
 * published (`gateway/publish/`).
 */
import { type Backend, type BackendInput, backendInput } from "../records/backend.ts";
import { validate } from "../records/validate.ts";
import { Collection, type Page, type PageRequest } from "../store/collection.ts";
import { deleteKeys } from "../store/deletion.ts";
import { backendKeys } from "../store/keys.ts";
import { completedFields, settableFields, stampFields } from "../store/record_input.ts";
import { drawNumber } from "../store/sequence.ts";
import type { Store } from "../store/store.ts";

/** Who deleted a backend, told by Publish Changes once the draft itself is gone. */
export interface Removal {
  readonly removed_at: string;
  readonly removed_by: string;
}

const serverFields = [...stampFields, "created_order"];

type BackendFields = BackendInput & { readonly created_order: number };

export class Backends {
  readonly #store: Store;
  readonly #collection: Collection<BackendFields>;

  constructor(store: Store) {
    this.#store = store;
    this.#collection = new Collection<BackendFields>(store, {
      name: "backends",
      noun: "API backend",
    });
  }

  /** In the order of creation. Throws a `Fault` (422) on `limit` or `cursor`. */
  list(page: PageRequest): Promise<Page<Backend>> {
    return this.#collection.list(page);
  }

  /** Every draft, in the order of creation. */
  all(): Promise<Backend[]> {
    return this.#collection.all();
  }

  /** Throws a `Fault` `NOT_FOUND`. */
  get(id: string): Promise<Backend> {
    return this.#collection.get(id);
  }

  /** Throws a `Fault` (422) that lists every bad field. */
  async create(input: unknown, by: string): Promise<Backend> {
    const fields = validate(backendInput, settableFields(input, serverFields));
    const created_order = await drawNumber(this.#store, backendKeys.createdOrder);
    return await this.#collection.create({ ...fields, created_order }, by);
  }

  /**
   * Fields left out keep their value; a field that is sent is replaced whole.
   * Throws a `Fault`: `NOT_FOUND`, 422 with every bad field, `STALE` when
   * `ifVersion` is not the draft's version.
   */
  change(id: string, input: unknown, by: string, ifVersion?: number): Promise<Backend> {
    const edit = (backend: Backend): BackendFields => ({
      ...validate(backendInput, completedFields(backend, input, serverFields)),
      created_order: backend.created_order,
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
        commit.set(backendKeys.removal(id), removal);
      }));
  }

  /** Who deleted which draft since deletions were last forgotten, by id. */
  async removals(): Promise<Map<string, Removal>> {
    const removals = new Map<string, Removal>();
    for await (const entry of this.#store.kv.list<Removal>({ prefix: backendKeys.removals })) {
      removals.set(String(entry.key.at(-1)), entry.value);
    }
    return removals;
  }

  /** Forgets who deleted these; for deletions that are published, or never need to be. */
  async forgetRemovals(ids: Iterable<string>): Promise<void> {
    await deleteKeys(this.#store.kv, Iterator.from(ids).map(backendKeys.removal));
  }
}
