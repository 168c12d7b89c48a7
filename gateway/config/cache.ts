/**
 * The section `cache` of the configuration: what answers may take that
 * are kept for later callers.
 */
import * as v from "valibot";
import { MEMORY_MIN_BYTES } from "../cache/memory.ts";
import { wholeNumber } from "../records/fields.ts";
import { blame, key } from "./key.ts";

const MEMORY_MAX_BYTES = 16 * 2 ** 30;

export const cacheLimits = v.pipe(
  v.strictObject({
    memory_max_bytes: key(
      v.pipe(
        wholeNumber(0, MEMORY_MAX_BYTES),
        v.check(
          (bytes) => bytes === 0 || bytes >= MEMORY_MIN_BYTES,
          `must be 0 or at least ${MEMORY_MIN_BYTES}`,
        ),
      ),
      256 * 2 ** 20,
      "Memory for kept answers, which all workers share; those unused for longest make room. They " +
        "have a quarter as much besides, for answers that they use again and again, and another " +
        "for those on their way. It is taken as it fills. 0 means no cache.",
    ),
    entry_max_bytes: key(
      wholeNumber(0, MEMORY_MAX_BYTES),
      2 ** 20,
      "Largest body of an answer that is kept.",
    ),
  }),
  blame(
    "entry_max_bytes",
    "must be at most a quarter of memory_max_bytes",
    ({ memory_max_bytes, entry_max_bytes }) =>
      memory_max_bytes === 0 || entry_max_bytes <= memory_max_bytes / 4,
  ),
);
