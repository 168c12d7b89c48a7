// What the framework keeps with a request's context, out of sight of the app.
import type { Snapshot } from "./snapshot.ts";
import type { LayoutConfig, RouteComponent } from "./types.ts";

export interface Layout<State> {
  readonly component: RouteComponent<never, State>;
  readonly config: LayoutConfig;
}

/** What is put around a page: the app wrapper outside, then the layouts, outermost first. */
export interface Frame<State> {
  readonly wrapper: RouteComponent<never, State> | null;
  readonly layouts: readonly Layout<State>[];
}

export interface ContextInternals<State> {
  readonly snapshot: Snapshot | null;
  frame: Frame<State>;
  /** The value of every `nonce` in this answer, base64. */
  readonly nonce: string;
}

/** The key of `ContextInternals`. */
export const internals = Symbol("fresh internals");
