/**
 * An isolate for the tests that counts calls of many keys, all at once with its
 * siblings on the same memory.
 */
import { compileBucket, compileLimits } from "./compiled_limits.ts";
import type { LimitMemory } from "./limit_memory.ts";
import { RateLimiter } from "./rate_limiter.ts";

export interface HammerTask {
  readonly memory: LimitMemory;
  /** Counts the isolates that are ready: they begin together. */
  readonly start: SharedArrayBuffer;
  readonly isolates: number;
  readonly keys: number;
  /** Of each key. */
  readonly calls: number;
  readonly limit: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface HammerReport {
  /** How many calls of each key were let through. */
  readonly allowed: readonly number[];
}

const scope = self as unknown as {
  postMessage(report: HammerReport): void;
  onmessage: (event: MessageEvent<HammerTask>) => void;
};

scope.onmessage = ({ data: { memory, start, isolates, keys, calls, limit, now } }) => {
  const limiter = new RateLimiter(memory);
  const { limits: [rule] } = compileLimits([
    { duration: 3_600_000, limit_by: "api_key", limit, response_headers: false },
  ]);
  if (rule === undefined) throw new Error("there is one limit");
  const bucket = compileBucket("*");
  const subjects = Array.from({ length: keys }, (_, key) => limiter.subjects.keyHolder(`${key}`));
  const allowed = subjects.map(() => 0);
  const ready = new Int32Array(start);
  Atomics.add(ready, 0, 1);
  while (Atomics.load(ready, 0) < isolates);
  for (let call = 0; call < calls; call++) {
    for (const [key, subject] of subjects.entries()) {
      if (limiter.take(rule, bucket, subject, now).allowed) allowed[key] = (allowed[key] ?? 0) + 1;
    }
  }
  scope.postMessage({ allowed });
};
