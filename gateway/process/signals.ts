/**
 * The signals a running server obeys: SIGTERM and SIGINT end it, SIGHUP makes it
 * read its configuration again.
 */

export type StopSignal = "SIGTERM" | "SIGINT";

export interface ProcessSignals {
  /** Resolves with the first signal to stop. */
  readonly stop: Promise<StopSignal>;
  /** Takes the listeners away again. */
  close(): void;
}

/** The part of the process that signals come from; tests have their own. */
export interface SignalSource {
  addSignalListener(signal: Deno.Signal, listener: () => void): void;
  removeSignalListener(signal: Deno.Signal, listener: () => void): void;
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
  removeSignalListener: Deno.removeSignalListener,
  exit: (code) => Deno.exit(code),
  now: () => performance.now(),
};

/**
 * Listens until closed. The first signal to stop resolves `stop`; whoever sends
 * another does not want to wait, and the process exits at once. `reload` is called
 * for every SIGHUP before that.
 */
export function listenForSignals(
  reload: () => void,
  source: SignalSource = thisProcess,
): ProcessSignals {
  const stop = Promise.withResolvers<StopSignal>();
  let stoppedAt: number | null = null;

  const onStop = (signal: StopSignal) => () => {
    if (stoppedAt === null) {
      stoppedAt = source.now();
      stop.resolve(signal);
    } else if (source.now() - stoppedAt > ONE_WISH) source.exit(killedBy[signal]);
  };
  const onReload = () => {
    if (stoppedAt === null) reload();
  };
  const listeners: [Deno.Signal, () => void][] = [
    ["SIGTERM", onStop("SIGTERM")],
    ["SIGINT", onStop("SIGINT")],
    ["SIGHUP", onReload],
  ];
  for (const [signal, listener] of listeners) source.addSignalListener(signal, listener);

  return {
    stop: stop.promise,
    close() {
      for (const [signal, listener] of listeners) source.removeSignalListener(signal, listener);
    },
  };
}
