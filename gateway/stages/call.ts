/** What the checks decide over: a matched call and who makes it. */
import type { Route } from "../compile/configuration.ts";
import type { Credential } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { KeyHolder } from "../keys/key_holder.ts";
import type { Refusal } from "../refusal/refusals.ts";

export interface Call {
  readonly exchange: Exchange;
  readonly route: Route;
  /** The key as it came, or null when none did. */
  readonly credential: Credential | null;
  /** Whose key it is, or null when nobody's. */
  readonly holder: KeyHolder | null;
}

/** A stage that lets a call pass (null) or refuses it. */
export type Check = (call: Call) => Refusal | null;
