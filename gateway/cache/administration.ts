/** The cache as an admin has it: how full it is, and what to give up. */
import { decodeHead } from "./answer.ts";
import { Counters, type Counts } from "./counters.ts";
import { partsOf } from "./key.ts";
import { CacheMemory, newCacheMemory } from "./memory.ts";
import { type PurgeTarget, readPurgeTarget } from "./purge_target.ts";
import { SharedAnswers, type Usage } from "./shared_answers.ts";

export interface CacheFigures extends Usage, Counts {}

export class CacheAdministration {
  /** What serving isolates keep answers in; null: there is no cache. */
  readonly memory: SharedArrayBuffer | null;
  readonly #answers: SharedAnswers | null = null;
  readonly #counters: Counters | null = null;

  /** @param maxBytes 0 for no cache */
  constructor(maxBytes: number) {
    this.memory = maxBytes === 0 ? null : newCacheMemory(maxBytes);
    if (this.memory === null) return;
    const memory = new CacheMemory(this.memory);
    this.#answers = new SharedAnswers(memory);
    this.#counters = new Counters(memory, this.#answers.isolate);
  }

  get figures(): CacheFigures {
    const usage = this.#answers?.usage ?? { entries: 0, bytes: 0, maxBytes: 0 };
    return { ...usage, ...this.#counters?.counts ?? { hits: 0, misses: 0 } };
  }

  /**
   * Gives up what `input` names (see `purgeInput`): how many answers. No isolate gives
   * one of them to a caller afterwards. Throws a `Fault` (422).
   */
  async purge(input: unknown): Promise<{ readonly purged: number }> {
    const target = readPurgeTarget(input);
    return { purged: this.#answers === null ? 0 : await purge(this.#answers, target) };
  }
}

async function purge(answers: SharedAnswers, target: PurgeTarget): Promise<number> {
  if (target === "all") return answers.purgeAll();
  return await answers.purge((head) => target(partsOf(decodeHead(head).key)));
}
