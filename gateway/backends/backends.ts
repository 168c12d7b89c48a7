/** API backends, as drafts. */
import * as v from "valibot";
import { Drafts } from "../drafts/drafts.ts";
import { type BackendInput, backendInput } from "../records/backend.ts";
import { withoutTransitionStarts } from "../records/transitions.ts";
import type { Store } from "../store/store.ts";

export class Backends extends Drafts<BackendInput> {
  constructor(store: Store) {
    const schema = v.pipe(backendInput, v.transform((backend) => withoutTransitionStarts(backend)));
    super(store, { name: "backends", noun: "API backend", schema });
  }
}
