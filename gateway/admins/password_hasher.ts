/**
 * Hashes and checks passwords with bcrypt, in a worker of its own that is started
 * when there is something to do and ended when it has been idle for a while.
 */
import { Fault } from "../faults.ts";
import type { PasswordResult, PasswordTask } from "./password_worker.ts";

/** The cost of bcrypt for every new password: 2^12 rounds. */
export const PASSWORD_COST = 12;
const IDLE_TIME = 60_000; // ms
/** More waiting than this would take longer than anybody waits (about 300 ms each). */
const LONGEST_QUEUE = 32;

interface Waiting {
  resolve(result: string | boolean): void;
  reject(reason: unknown): void;
}

/** A task but for its id, which the hasher gives. */
type NewTask = PasswordTask extends infer Task
  ? Task extends PasswordTask ? Omit<Task, "id"> : never
  : never;

export class PasswordHasher {
  readonly #cost: number;
  readonly #idleTime: number;
  readonly #nobodysHash: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;

  constructor(options: { cost?: number; idleTime?: number /* ms */ } = {}) {
    this.#cost = options.cost ?? PASSWORD_COST;
    this.#idleTime = options.idleTime ?? IDLE_TIME;
    this.#nobodysHash = `$2b$${String(this.#cost).padStart(2, "0")}$${".".repeat(53)}`;
  }

  /** Whether the worker is there. */
  get running(): boolean {
    return this.#worker !== null;
  }

  /** The bcrypt hash of a password. Throws a `Fault` (503) when too much waits already. */
  async hash(password: string): Promise<string> {
    return String(await this.#run({ kind: "hash", password, cost: this.#cost }));
  }

  /**
   * Whether the password belongs to the hash. No hash at all takes as long as a
   * wrong password, so that time does not tell which accounts exist.
   * Throws a `Fault` (503) when too much waits already.
   */
  async matches(password: string, hash: string | null): Promise<boolean> {
    const result = await this.#run({ kind: "compare", password, hash: hash ?? this.#nobodysHash });
    return hash !== null && result === true;
  }

  /** Ends the worker; what still waits is refused. */
  close(): void {
    this.#end(new Fault("UNAVAILABLE", "The server is stopping."));
  }

  #run(task: NewTask): Promise<string | boolean> {
    if (this.#waiting.size >= LONGEST_QUEUE) {
      throw new Fault("UNAVAILABLE", "Too many people are signing in. Try again in a moment.", {
        retryAfter: 10,
      });
    }
    clearTimeout(this.#idleTimer);
    this.#worker ??= this.#start();
    const id = ++this.#lastId;
    const result = Promise.withResolvers<string | boolean>();
    this.#waiting.set(id, result);
    this.#worker.postMessage({ ...task, id });
    return result.promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./password_worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<PasswordResult>) => this.#settle(data);
    worker.onerror = (event) => {
      event.preventDefault(); // else the error would end the process
      this.#end(
        new Fault("INTERNAL_SERVER_ERROR", "The password could not be checked.", {
          internal: event.message,
        }),
      );
    };
    return worker;
  }

  #settle({ id, result }: PasswordResult): void {
    this.#waiting.get(id)?.resolve(result);
    this.#waiting.delete(id);
    if (this.#waiting.size > 0) return;
    this.#idleTimer = setTimeout(() => this.close(), this.#idleTime);
  }

  #end(reason: Fault): void {
    clearTimeout(this.#idleTimer);
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}
