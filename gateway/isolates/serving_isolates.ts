/**
 * The isolates that serve: as many as are wanted, each on a thread of its own and
 * all on the same sockets. Here they are started, told what is new, replaced when
 * one fails, and drained. The process never ends because one of them did.
 */
import type { Configuration } from "../config/configuration.ts";
import type { Portico } from "../portico.ts";
import type { HttpsCertificates } from "../process/certificates.ts";
import { isolateCount } from "../serve/isolate_count.ts";
import { type Address, claimPorts, ListenError, type Ports } from "../serve/listeners.ts";
import { publicUrls } from "../serve/public_urls.ts";
import type { WebHandler } from "../serve/web_app.ts";
import type { StatesByBackend } from "../upstream/health_reports.ts";
import { within } from "../within.ts";
import { answerPage } from "./pages.ts";
import type { Assignment, Rules } from "./questions.ts";
import { type IsolateOptions, ServingIsolate, withinPatience } from "./serving_isolate.ts";

/**
 * Milliseconds before an isolate that failed is replaced: one that always
 * fails must not keep a core busy.
 */
const REPLACE_AFTER = 250;
/** Milliseconds an isolate may take to serve, with ten thousand backends on a slow machine. */
const START_PATIENCE = 60_000;

const SERVING: IsolateOptions = {
  entry: new URL("./serving_entry.ts", import.meta.url),
  beatPeriod: 1000,
};

export class ServingIsolates {
  readonly #options: IsolateOptions;
  readonly #web: WebHandler;
  readonly #certificates: HttpsCertificates | null;
  readonly #isolates = new Set<ServingIsolate>();
  /** Those whose place another one is about to take. */
  readonly #leaving = new Set<ServingIsolate>();
  #portico: Portico;
  #ports: Ports | null = null;
  #addresses: readonly Address[] = [];
  #isStopping = false;

  constructor(
    portico: Portico,
    web: WebHandler,
    certificates: HttpsCertificates | null,
    options = SERVING,
  ) {
    this.#options = options;
    this.#portico = portico;
    this.#web = web;
    this.#certificates = certificates;
    portico.publishing.subscribe((live) => this.#use({ live }));
    portico.callLog.feedFrom(() => this.#collect());
    portico.serverHealth.feedFrom((backends) => this.#serverStates(backends));
  }

  /**
   * Starts `workers` isolates. Throws a `ListenError` that names the socket
   * that could not be opened.
   */
  async start(): Promise<void> {
    const { config, log } = this.#portico;
    claimPorts({
      addresses: config.listen.addresses,
      ports: { http: config.http_port, https: config.https_port },
    });
    this.#addresses = await this.#startOne();
    this.#ports = portsOf(this.#addresses);
    const count = isolateCount(config);
    await Promise.all(Array.from({ length: count - 1 }, () => this.#startOne()));
    log.info("serving", { isolates: count });
  }

  get config(): Configuration {
    return this.#portico.config;
  }

  get urls(): string[] {
    return publicUrls(this.#addresses);
  }

  /** Takes over a configuration that was read again. */
  async reconfigure(config: Configuration): Promise<void> {
    this.#portico = await this.#portico.configured(config);
    await this.#use({ config });
  }

  /** Finishes what is in flight, `drain_seconds` at most. Resolves with whether all was. */
  async stop(): Promise<boolean> {
    this.#isStopping = true;
    const isolates = [...this.#isolates];
    const finished = await Promise.all(isolates.map((isolate) => this.#drain(isolate)));
    return finished.every(Boolean);
  }

  /** Resolves when it serves. */
  async #startOne(): Promise<readonly Address[]> {
    const isolate: ServingIsolate = new ServingIsolate(
      this.#options,
      {
        holderOf: (hash) => this.#portico.keys.holderOf(hash),
        page: (request) => answerPage(this.#web, this.#portico, request),
        record: (recorded) => this.#portico.callLog.recordAll(recorded),
        replace: (error) => this.#replaceFailing(isolate, error),
      },
      (reason) => this.#replaceLost(isolate, reason),
    );
    this.#isolates.add(isolate);
    this.#portico.keys.addFollower(isolate);
    try {
      const answer = await within(START_PATIENCE, isolate.ask("start", this.#assignment()));
      if (answer === undefined) throw new Error("a serving isolate did not start in a minute");
      if ("problem" in answer) throw new ListenError(answer.problem);
      isolate.watch();
      return answer.addresses;
    } catch (error) {
      this.#end(isolate);
      throw error;
    }
  }

  #assignment(): Assignment {
    const { config, publishing, keys, secret, limiter, cache } = this.#portico;
    return {
      config,
      live: publishing.live,
      secret,
      knownKeys: keys.known,
      limitMemory: limiter.memory,
      cacheMemory: cache.memory,
      ports: this.#ports,
      certificates: this.#certificates,
    };
  }

  async #use(rules: Partial<Rules>): Promise<void> {
    await Promise.all([...this.#isolates].map((isolate) => isolate.use(rules)));
  }

  async #collect(): Promise<void> {
    await Promise.all([...this.#isolates].map((isolate) => this.#collectFrom(isolate)));
  }

  async #collectFrom(isolate: ServingIsolate): Promise<void> {
    const recorded = await withinPatience(isolate.ask("collect", null));
    if (recorded !== undefined) this.#portico.callLog.recordAll(recorded);
  }

  async #serverStates(backends: readonly string[]): Promise<StatesByBackend[]> {
    const answers = [...this.#isolates].map((isolate) =>
      withinPatience(isolate.ask("serverStates", backends))
    );
    return (await Promise.all(answers)).filter((states) => states !== undefined);
  }

  async #drain(isolate: ServingIsolate): Promise<boolean> {
    try {
      const finished = await isolate.ask("drain", {
        seconds: this.#portico.config.drain_seconds,
        serverStops: this.#isStopping,
      });
      await this.#collectFrom(isolate);
      return finished;
    } catch {
      return false; // it was lost meanwhile, which has been told
    } finally {
      this.#end(isolate);
    }
  }

  #end(isolate: ServingIsolate): void {
    this.#isolates.delete(isolate);
    this.#leaving.delete(isolate);
    this.#portico.keys.removeFollower(isolate);
    isolate.end();
  }

  /** It still works, but something in it is in a state nobody thought of. */
  #replaceFailing(isolate: ServingIsolate, error: string): void {
    this.#portico.log.error("an error in a serving isolate; it is replaced", { error });
    if (this.#isStopping || this.#leaving.has(isolate)) return;
    this.#leaving.add(isolate);
    this.#startAnother(() => this.#drain(isolate));
  }

  #replaceLost(isolate: ServingIsolate, reason: string): void {
    const message = "a serving isolate was lost, with the calls it carried; it is replaced";
    this.#portico.log.error(message, { reason });
    const isReplaced = this.#leaving.has(isolate);
    this.#end(isolate);
    if (!this.#isStopping && !isReplaced) this.#startAnother(() => {});
  }

  #startAnother(started: () => unknown): void {
    setTimeout(async () => {
      if (this.#isStopping) return;
      try {
        await this.#startOne();
        started();
      } catch (error) {
        this.#portico.log.error("a serving isolate could not be started; tried again", { error });
        this.#startAnother(started);
      }
    }, REPLACE_AFTER);
  }
}

function portsOf(addresses: readonly Address[]): Ports {
  const portOf = (wanted: Address["scheme"]) =>
    addresses.find(({ scheme }) => scheme === wanted)?.port ?? null;
  return { http: portOf("http") ?? 0, https: portOf("https") };
}
