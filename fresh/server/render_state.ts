// What one rendering gathers on its way through the tree: islands, slots and
// elements for `<head>`. Rendering is synchronous, so one at a time is current.
import type { ComponentChildren, VNode } from "preact";
import { headKey, setHeadCollector } from "../runtime/head.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Island } from "./types.ts";

/** An island as it stands in the page. */
export interface IslandInstance {
  readonly island: Island;
  readonly props: Record<string, unknown>;
}

/** JSX given to an island, as it stands in the island's props for the browser. */
export class Slot {
  /** Whether the island showed it. */
  shown = false;

  constructor(readonly id: number, readonly prop: string, readonly children: ComponentChildren) {}
}

export interface RenderRequest {
  readonly snapshot: Snapshot | null;
  /** The request's path, for links to mark themselves active. */
  readonly pathname: string;
  readonly nonce: string;
}

export class RenderState {
  readonly islands: IslandInstance[] = [];
  readonly slots: Slot[] = [];
  /** The elements of `<Head>` that are still to be placed. */
  readonly head = new Map<string, VNode>();
  /** Which of html, head and body the tree has. */
  readonly has = new Set<unknown>();
  /** How many islands are around what is being rendered; in a slot it starts anew. */
  islandDepth = 0;

  constructor(readonly request: RenderRequest) {}

  /** Runs a synchronous rendering that adds to this state. */
  during<T>(render: () => T): T {
    const outer = current;
    current = this;
    setHeadCollector((element) => this.head.set(headKey(element), element));
    try {
      return render();
    } finally {
      current = outer;
      setHeadCollector(null);
    }
  }
}

let current: RenderState | null = null;

/** The rendering in progress, or null outside of one. */
export function currentRender(): RenderState | null {
  return current;
}
