/**
 * How many calls may be in flight at one time, in all and for one address. What is
 * above that is turned away before anything is decided about it, which is cheap, so
 * that a server that is too busy stays as quick as it is.
 */
import { RETRY_SOON } from "../exchange/client_bounds.ts";
import { Refusal } from "../refusal/refusals.ts";

export interface CallLimits {
  readonly max_calls: number;
  /** Null: any number. */
  readonly max_calls_per_address: number | null;
}

export class CallCap {
  #limit = Infinity;
  #limitPerAddress: number | null = null;
  #calls = 0;
  /** Calls in flight by address; kept up only while there is a limit for them. */
  readonly #callsOf = new Map<string, number>();

  /** `limits` are for the whole server; this is one isolate of so many, and takes its part. */
  constructor(limits: CallLimits, isolates: number) {
    this.use(limits, isolates);
  }

  /** Calls in flight. */
  get calls(): number {
    return this.#calls;
  }

  /** Other limits from now on. */
  use({ max_calls, max_calls_per_address }: CallLimits, isolates: number): void {
    this.#limit = Math.ceil(max_calls / isolates);
    this.#limitPerAddress = max_calls_per_address === null
      ? null
      : Math.ceil(max_calls_per_address / isolates);
    if (this.#limitPerAddress === null) this.#callsOf.clear();
  }

  /** Counts a call, whether it is refused or not, until it has `ended`: the refusal, or null. */
  began(address: string): Refusal | null {
    this.#calls++;
    const limit = this.#limitPerAddress;
    if (limit !== null) {
      const calls = (this.#callsOf.get(address) ?? 0) + 1;
      this.#callsOf.set(address, calls);
      if (calls > limit) return new Refusal("TOO_MANY_CALLS", "", [RETRY_SOON]);
    }
    return this.#calls > this.#limit ? new Refusal("SERVER_BUSY", "", [RETRY_SOON]) : null;
  }

  ended(address: string): void {
    this.#calls--;
    const calls = this.#callsOf.get(address);
    if (calls === undefined) return; // there was no limit when it began
    if (calls > 1) this.#callsOf.set(address, calls - 1);
    else this.#callsOf.delete(address);
  }
}
