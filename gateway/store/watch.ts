/**
 * Follows one key of the store: whoever shares the store (another isolate,
 * another process on a KV Connect server) is told of a change by its value.
 */
import type { Store } from "./store.ts";

/** Milliseconds before a broken connection is tried again. */
export const RETRY_DELAY = 500;

export interface Watch {
  /** Ends the watch and waits for a value that is being handled. */
  close(): Promise<void>;
}

/**
 * Calls `changed` with the value of `key` now and after every change, one call at
 * a time; a value that was replaced meanwhile is left out. When the connection or
 * `changed` fails, `failed` is told and the watch begins anew, with the value of then.
 */
export function watchKey<T>(
  store: Store,
  key: Deno.KvKey,
  changed: (entry: Deno.KvEntryMaybe<T>) => Promise<void>,
  failed: (error: unknown) => void,
): Watch {
  const pause = new AbortController();
  let reader: ReadableStreamDefaultReader<[Deno.KvEntryMaybe<T>]> | undefined;

  const follow = async () => {
    reader = store.kv.watch<[T]>([key]).getReader();
    try {
      while (!pause.signal.aborted) {
        const { done, value } = await reader.read();
        if (done) return;
        await changed(value[0]);
      }
    } finally {
      await reader.cancel();
    }
  };

  const run = async () => {
    while (!pause.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (!pause.signal.aborted) failed(error);
      }
      await delay(RETRY_DELAY, pause.signal);
    }
  };

  const running = run();
  return {
    close: async () => {
      pause.abort();
      await reader?.cancel();
      await running;
    },
  };
}

/** Resolves after `milliseconds`, or as soon as the signal aborts. */
export function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}
