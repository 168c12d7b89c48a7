/** What the checks decide over: a matched call and who makes it. */
import type { Route } from "../compile/routes.ts";
import type { CompiledSettings } from "../compile/settings.ts";
import type { Credential } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { KeyHolder } from "../keys/key_holder.ts";
import type { Refusal } from "../refusal/refusals.ts";

export interface Call {
  readonly exchange: Exchange;
  readonly route: Route;
  /** Those that hold for this call: the backend's, or a sub-URL's. */
  readonly settings: CompiledSettings;
  /** The key as it came, or null when none did. */
  readonly credential: Credential | null;
  /** Whose key it is, or null when nobody's. */
  readonly holder: KeyHolder | null;
}

/** An answer that the gateway gives in the backend's place, without a body; no refusal. */
export class Reply {
  constructor(readonly status: number, readonly headers: HeaderFields) {}
}

/** Lets a call pass (null), refuses it, or answers it. `now` is in ms since the epoch. */
export type Check = (call: Call, now: number) => Refusal | Reply | null;

/** A check with a name, for whoever asks which one decided. */
export interface Stage {
  readonly name: string;
  readonly decide: Check;
}
