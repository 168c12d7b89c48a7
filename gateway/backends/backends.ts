/** API backends, as drafts. */
import { Drafts } from "../drafts/drafts.ts";
import { type BackendInput, backendInput } from "../records/backend.ts";
import type { Store } from "../store/store.ts";

export class Backends extends Drafts<BackendInput> {
  constructor(store: Store) {
    super(store, { name: "backends", noun: "API backend", schema: backendInput });
  }
}
