/** One isolate that serves, as the main isolate has it. */
import type { KeyFollower } from "../keys/key_directory.ts";
import type { KnownKeysMemory } from "../keys/known_keys.ts";
import { within } from "../within.ts";
import { type Answers, Line, LineError } from "./line.ts";
import type { MainQuestions, Rules, ServingQuestions } from "./questions.ts";

/**
 * Looks without an answer after which it is given up. Deno tells nobody of a worker that
 * closes itself, and `terminate` does not interrupt one that runs in a circle (2.9.6): that
 * one keeps its thread, and its share of new connections, until the process ends.
 */
const BEATS_MISSED_MAX = 10;
/** Milliseconds that others wait for it to take something in. */
const PATIENCE = 1000;

export interface IsolateOptions {
  /** What runs in it. */
  readonly entry: URL;
  /** Milliseconds between two looks at whether it is still at work. */
  readonly beatPeriod: number;
}

export class ServingIsolate implements KeyFollower {
  readonly #worker: Worker;
  readonly #line: Line<MainQuestions, ServingQuestions>;
  readonly #onLost: (reason: string) => void;
  readonly #beatPeriod: number;
  #beat: ReturnType<typeof setInterval> | undefined;
  #beatsMissed = 0;
  #isEnded = false;

  /** Starts it. `onLost` is told once, and only if it does not end by `end`. */
  constructor(
    { entry, beatPeriod }: IsolateOptions,
    answers: Answers<MainQuestions>,
    onLost: (reason: string) => void,
  ) {
    this.#onLost = onLost;
    this.#worker = new Worker(entry, { type: "module", name: "serving" });
    this.#line = new Line(this.#worker, answers);
    this.#worker.onerror = (event) => {
      event.preventDefault(); // else the error would end the process
      this.#lost(event.message);
    };
    this.#beatPeriod = beatPeriod;
  }

  /** From now on, as it has started, it is looked after. */
  watch(): void {
    this.#beat = setInterval(() => this.#look(), this.#beatPeriod);
  }

  /** Asks it; rejects when it ends before it has answered. */
  ask: Line<MainQuestions, ServingQuestions>["ask"] = (name, subject) =>
    this.#line.ask(name, subject);

  // What is new. Each resolves when the isolate has taken it in, has ended, or was too busy
  // to for a second: one isolate must not hold up the others.

  use(rules: Partial<Rules>): Promise<void> {
    return withinPatience(this.#line.ask("use", rules));
  }

  follow(known: KnownKeysMemory | null): Promise<void> {
    return withinPatience(this.#line.ask("followKeys", known));
  }

  forget(fingerprints: readonly Uint8Array[] | null): Promise<void> {
    return withinPatience(this.#line.ask("forgetKeys", fingerprints));
  }

  /** Ends it, with all it is doing. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearInterval(this.#beat);
    this.#line.cut("the isolate has ended");
    this.#worker.terminate();
  }

  #look(): void {
    if (this.#beatsMissed >= BEATS_MISSED_MAX) {
      return this.#lost(`no sign of life; if calls hang from now on, restart the server`);
    }
    this.#beatsMissed++;
    this.#line.ask("beat", null).then(() => this.#beatsMissed = 0, () => {});
  }

  #lost(reason: string): void {
    if (this.#isEnded) return;
    this.end();
    this.#onLost(reason);
  }
}

/** What an isolate that has ended, or does not come to it, was asked is no matter any more. */
export async function withinPatience<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await within(PATIENCE, answer);
  } catch (error) {
    if (error instanceof LineError) return undefined;
    throw error;
  }
}
