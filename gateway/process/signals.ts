/**
 * The signals a running server obeys: SIGTERM and SIGINT end it, SIGHUP makes it
 * read its configuration again.
 */

export type StopSignal = "SIGTERM" | "SIGINT";

/** The part of the process that signals come from; tests have their own. */
export interface SignalSource {
  addSignalListener(signal: Deno.Signal, listener: () => void): void;
  exit(code: number): void;
  /** Milliseconds, growing. */
  now(): number;
}

/** Exit codes by the shell's custom: 128 and the signal's number. */
const killedBy: Record<StopSignal, number> = { SIGTERM: 143, SIGINT: 130 };

/**
 * Ctrl-C reaches the server twice, from the terminal and from the task runner that
 * started it. Within this many milliseconds that is one wish.
 */
const ONE_WISH = 500;

const thisProcess: SignalSource = {
  addSignalListener: Deno.addSignalListener,
  exit: (code) => Deno.exit(code),
  now: () => performance.now(),
};

/**
 * Resolves with the first signal to stop. Whoever sends another does not want to wait,
 * and the process exits at once. `reload` is called for every SIGHUP before that.
 *
 * Listens as long as the process lives: a signal that came while the store is being
 * closed would otherwise kill the process before it is.
 */
export function listenForSignals(
  reload: () => void,
  source: SignalSource = thisProcess,
): Promise<StopSignal> {
  const stop = Promise.withResolvers<StopSignal>();
  let stoppedAt: number | null = null;

  const onStop = (signal: StopSignal) => () => {
    if (stoppedAt === null) {
      stoppedAt = source.now();
      stop.resolve(signal);
    } else if (source.now() - stoppedAt > ONE_WISH) source.exit(killedBy[signal]);
  };
  source.addSignalListener("SIGTERM", onStop("SIGTERM"));
  source.addSignalListener("SIGINT", onStop("SIGINT"));
  source.addSignalListener("SIGHUP", () => {
    if (stoppedAt === null) reload();
  });
  return stop.promise;
}
