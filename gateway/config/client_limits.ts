/** The section `client`: what callers may send, how long they may take, how many there may be. */
import * as v from "valibot";
import { bytes, numberWithin, seconds, wholeNumber } from "../records/fields.ts";
import { key } from "./key.ts";

/** The HTTP server takes no larger head. */
const HEAD_MAX = 65_536;
/** Every whole number up to this is exact. */
const BYTES_MAX = Number.MAX_SAFE_INTEGER;

const headBytes = wholeNumber(64, HEAD_MAX);

export const clientLimits = v.strictObject({
  url_max_bytes: key(
    headBytes,
    8192,
    "Longest path and query of a request. A longer one gets 414.",
  ),
  header_max_bytes: key(
    headBytes,
    8192,
    "Largest header of a request, name and value; headers of one name count together. A larger " +
      "one gets 431.",
  ),
  headers_max_bytes: key(
    headBytes,
    32_768,
    "All headers of a request together. Larger ones get 431. More than 128 of them, or 64 KiB, get " +
      "400, whatever stands here.",
  ),
  body_max_bytes: key(
    v.nullable(bytes),
    null,
    "Largest body of a request. A larger one gets 413. Empty means any size; a backend's settings " +
      "may say otherwise.",
    { example: 104_857_600 },
  ),
  body_timeout_seconds: key(
    seconds,
    60,
    "Longest wait for more of a request's body. Then the call gets 408.",
  ),
  body_min_bytes_per_second: key(
    numberWithin(0, 1_000_000_000, "a number", Number.isFinite),
    100,
    "Slowest a body may come, on average over each body_timeout_seconds that were spent waiting " +
      "for it. 0 allows a byte now and then, for ever.",
  ),
  send_timeout_seconds: key(
    seconds,
    60,
    "Longest time a caller may take nothing of its answer. Then the answer is cut off.",
  ),
  max_calls: key(
    wholeNumber(1, 10_000_000),
    5000,
    "Calls to backends that may be in flight at one time. A further one gets 503. Requests for " +
      "Portico's own pages are not counted. Each call takes two files; the system's limit of files " +
      "(ulimit -n) should allow for these, and for max_idle_connections.",
  ),
  max_calls_per_address: key(
    v.nullable(wholeNumber(1, 10_000_000)),
    null,
    "Calls that one IP address may have in flight at one time. A further one gets 429. Empty means " +
      "any number.",
    { example: 100 },
  ),
  max_idle_connections: key(
    wholeNumber(100, 10_000_000),
    10_000,
    "Connections that may be open and carry no call: idle ones, and those that never send a whole " +
      "request. When there are more, or the system allows no more, all of them are closed, and " +
      "WebSockets with them.",
  ),
  websocket_memory_max_bytes: key(
    wholeNumber(16_777_216, BYTES_MAX),
    1_073_741_824,
    "Memory that the process may take beyond what it used before WebSockets were open. Beyond " +
      "it, all of them are closed with 1001.",
  ),
});

export type ClientLimits = v.InferOutput<typeof clientLimits>;
