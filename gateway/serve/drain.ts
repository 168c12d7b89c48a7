/**
 * Ends the listeners gently: no new connections, calls in flight are finished.
 */
import { within } from "../within.ts";
import type { Listener } from "./listeners.ts";

/** How an isolate ends. */
export interface DrainOrder {
  readonly seconds: number;
  /** The whole server stops; else another isolate has taken this one's place. */
  readonly serverStops: boolean;
}

/**
 * Stops accepting and waits until every call in flight is answered, `seconds` at
 * most; what is left is then cut off.
 * @returns whether everything was finished in time
 */
export async function drain(listeners: readonly Listener[], seconds: number): Promise<boolean> {
  const finished = Promise.all(listeners.map(({ server }) => server.shutdown())).then(() => true);
  return await within(seconds * 1000, finished) ?? false;
}
