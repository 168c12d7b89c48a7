/**
 * An isolate that serves: what runs in its worker. It takes calls on sockets that it
 * shares with its siblings; whatever it needs beyond its own memory it asks the main
 * isolate for.
 */
import { AnswerCache } from "../cache/answer_cache.ts";
import type { Configuration } from "../config/configuration.ts";
import { KeyLookup } from "../keys/key_lookup.ts";
import { RateLimiter } from "../limit/rate_limiter.ts";
import { Collector } from "../logs/collector.ts";
import { standardLog } from "../process/logger.ts";
import { isolateCount } from "../serve/isolate_count.ts";
import { ListenError } from "../serve/listeners.ts";
import { Server } from "../serve/server.ts";
import { Line, type Port } from "./line.ts";
import { askForPage } from "./pages.ts";
import type { Assignment, MainQuestions, Rules, ServingQuestions } from "./questions.ts";

const line = new Line<ServingQuestions, MainQuestions>(self as unknown as Port, {
  start,
  use: (rules) => serving().use(rules),
  followKeys: (known) => serving().keys.follow(known),
  forgetKeys: (fingerprints) => serving().keys.forget(fingerprints),
  collect: () => serving().callLog.take(),
  serverStates: (backends) => serving().server.serverStates(backends),
  beat: () => {},
  drain: (order) => serving().server.stop(order),
});

/** What is there once the isolate has been told what to serve. */
class Serving {
  readonly log = standardLog("info");
  readonly callLog = new Collector((recorded) => void line.ask("record", recorded));
  readonly keys: KeyLookup;
  readonly server: Server;

  constructor({ config, live, secret, knownKeys, limitMemory, cacheMemory }: Assignment) {
    this.log.setLevel(config.log.level);
    this.keys = new KeyLookup({
      secret,
      known: knownKeys,
      holderOf: (hash) => line.ask("holderOf", hash),
    });
    this.server = new Server(
      {
        keys: this.keys,
        limiter: new RateLimiter(limitMemory),
        cache: cacheMemory === null ? null : answerCache(cacheMemory, config),
        callLog: this.callLog,
        page: (request) => askForPage(line, request),
        replace: (reason) => void line.ask("replace", reason),
        log: this.log,
      },
      config,
      live,
    );
  }

  use({ config, live }: Partial<Rules>): void {
    if (config !== undefined) this.log.setLevel(config.log.level);
    this.server.use(config, live);
  }
}

/**
 * Together the isolates may have a quarter of the memory besides, for what they use
 * again and again, and as much for answers on their way: at least one of them has room.
 */
function answerCache(memory: SharedArrayBuffer, config: Configuration): AnswerCache {
  const { entry_max_bytes: entryMaxBytes } = config.cache;
  const share = memory.byteLength / 4 / isolateCount(config);
  return new AnswerCache(memory, {
    entryMaxBytes,
    nearMaxBytes: share,
    copiesMaxBytes: Math.max(share, entryMaxBytes),
  });
}

let current: Serving | null = null;

function serving(): Serving {
  if (current === null) throw new Error("the isolate was not told what to serve");
  return current;
}

async function start(assignment: Assignment) {
  const { config, ports, certificates } = assignment;
  current = new Serving(assignment);
  try {
    const own = { http: config.http_port, https: config.https_port };
    return { addresses: await current.server.listen(ports ?? own, certificates) };
  } catch (error) {
    if (error instanceof ListenError) return { problem: error.message };
    throw error;
  }
}

/**
 * One call's defect must not take the other calls with it: the isolate
 * goes on until it is replaced.
 */
function outlive(event: ErrorEvent | PromiseRejectionEvent): void {
  event.preventDefault();
  const error = event instanceof ErrorEvent ? event.error : event.reason;
  void line.ask("replace", error instanceof Error ? error.stack ?? error.message : String(error));
}

self.addEventListener("error", outlive);
self.addEventListener("unhandledrejection", outlive);
