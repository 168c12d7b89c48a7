/**
 * Ends the listeners gently: no new connections, calls in flight are finished.
 */
import type { Listener } from "./listeners.ts";

/**
 * Stops accepting and waits until every call in flight is answered, `seconds` at
 * most; what is left is then cut off.
 * @returns whether everything was finished in time
 */
export async function drain(listeners: readonly Listener[], seconds: number): Promise<boolean> {
  const finished = Promise.all(listeners.map(({ server }) => server.shutdown())).then(() => true);
  const deadline = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => deadline.resolve(false), seconds * 1000);
  try {
    return await Promise.race([finished, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
