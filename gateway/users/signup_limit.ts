/**
 * How many keys one address may sign up for in an hour. Kept in memory, bounded:
 * of too many addresses the one that came first is forgotten first.
 */
import { addressName } from "../exchange/address_name.ts";
import { Fault } from "../faults.ts";

/** Milliseconds. */
const HOUR = 3_600_000;
const ADDRESSES_MAX = 10_000;

export class SignupLimit {
  readonly #perHour: number;
  readonly #clock: () => number;
  /** When each address signed up in the last hour, in ms; the address that came last is last. */
  readonly #signups = new Map<string, number[]>();

  /** `clock` gives milliseconds. */
  constructor(perHour: number, clock: () => number = Date.now) {
    this.#perHour = perHour;
    this.#clock = clock;
  }

  /**
   * Counts a sign-up from `address`; an IPv6 one counts with its whole /64.
   * Throws a `Fault` (429, with the seconds to wait) when it had its share.
   */
  take(address: string): void {
    const now = this.#clock();
    const name = addressName(address);
    const recent = (this.#signups.get(name) ?? []).filter((time) => time > now - HOUR);
    if (recent.length >= this.#perHour) {
      throw tooManySignups(Math.ceil(((recent[0] ?? now) + HOUR - now) / 1000));
    }
    this.#signups.delete(name); // so that it goes to the end
    this.#signups.set(name, [...recent, now]);
    this.#forgetOldest(now);
  }

  /** How many addresses are remembered. */
  get size(): number {
    return this.#signups.size;
  }

  #forgetOldest(now: number): void {
    for (const [name, times] of this.#signups) {
      const over = (times.at(-1) ?? 0) <= now - HOUR;
      if (!over && this.#signups.size <= ADDRESSES_MAX) return;
      this.#signups.delete(name);
    }
  }
}

function tooManySignups(seconds: number): Fault {
  const minutes = Math.ceil(seconds / 60);
  return new Fault(
    "TOO_MANY_ATTEMPTS",
    "Too many API keys were asked for from your address. Try again in " +
      (minutes === 1 ? "a minute." : `${minutes} minutes.`),
    { retryAfter: seconds },
  );
}
