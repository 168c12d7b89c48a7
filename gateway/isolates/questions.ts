/**
 * What the main isolate and the isolates that serve ask each other. The main one
 * has the store, the admin and the log; a serving one has sockets, connections to
 * backends, and copies of all that calls are decided by.
 */
import type { Configuration } from "../config/configuration.ts";
import type { StoredHolder } from "../keys/key_holder.ts";
import type { KnownKeysMemory } from "../keys/known_keys.ts";
import type { RecordedRows } from "../logs/collector.ts";
import type { LimitMemory } from "../limit/limit_memory.ts";
import type { HttpsCertificates } from "../process/certificates.ts";
import type { LiveVersion } from "../publish/publishing.ts";
import type { DrainOrder } from "../serve/drain.ts";
import type { Address, Ports } from "../serve/listeners.ts";
import type { OwnPageRequest } from "../serve/own_pages.ts";
import type { StatesByBackend } from "../upstream/health_reports.ts";

/** What calls are decided by; either part may be new. */
export interface Rules {
  readonly config: Configuration;
  readonly live: LiveVersion | null;
}

export interface Assignment extends Rules {
  /** What API keys are hashed with. */
  readonly secret: Uint8Array;
  /** Every API key there is (`KeyDirectory.known`). */
  readonly knownKeys: KnownKeysMemory | null;
  /** Where calls are counted (`newLimitMemory`); the same for all. */
  readonly limitMemory: LimitMemory;
  /** Where answers are kept (`newCacheMemory`); the same for all. Null: nowhere. */
  readonly cacheMemory: SharedArrayBuffer | null;
  /** The ports the first isolate was given in place of 0; the same for all. */
  readonly ports: Ports | null;
  /** Null: no HTTPS. */
  readonly certificates: HttpsCertificates | null;
}

/** What a serving isolate can be asked. */
export interface ServingQuestions {
  /** Serves; the answer is what it listens on, or why it cannot, for a person. */
  start(assignment: Assignment): { readonly addresses: readonly Address[] } | {
    readonly problem: string;
  };
  /** Calls are decided by these from the answer on. */
  use(rules: Partial<Rules>): void;
  followKeys(known: KnownKeysMemory | null): void;
  forgetKeys(fingerprints: readonly Uint8Array[] | null): void;
  /** The calls that were recorded and not handed over yet. */
  collect(_: null): RecordedRows;
  /** How the servers of those of these backends (`backendKey`) stand that are live. */
  serverStates(backends: readonly string[]): StatesByBackend;
  /** Whether it is still at work. */
  beat(_: null): void;
  /** Takes no more calls, and finishes those in flight: whether all were in time. */
  drain(order: DrainOrder): boolean;
}

/** What the main isolate can be asked. */
export interface MainQuestions {
  /** Who holds the key with this hash. */
  holderOf(hash: Uint8Array): StoredHolder | null;
  /** The answer of one of Portico's own pages. */
  page(request: OwnPageRequest): PageAnswer;
  /** Calls for the log. */
  record(rows: RecordedRows): void;
  /** Something was thrown that nobody caught: the isolate should be replaced. */
  replace(error: string): void;
}

/** The answer of one of Portico's own pages. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: ReadableStream<Uint8Array> | null;
}
