/** How long backends may take: the section `upstream`. */
import * as v from "valibot";
import { seconds } from "../records/fields.ts";
import { key } from "./key.ts";

export const upstreamLimits = v.strictObject({
  connect_timeout_seconds: key(seconds, 30, "Longest wait for a connection to a backend."),
  read_timeout_seconds: key(
    seconds,
    60,
    "Longest silence of a backend before the call fails with 504.",
  ),
  send_timeout_seconds: key(
    seconds,
    60,
    "Longest time a backend may refuse to take more of a request.",
  ),
  total_timeout_seconds: key(
    v.nullable(seconds),
    null,
    "Longest time for a whole call, from its start to the last byte of the answer: 504 before " +
      "the answer has begun, an answer cut off after. Empty means no limit.",
    { example: 300 },
  ),
  dns_max_age_seconds: key(
    seconds,
    30,
    "How long the addresses of a backend's host name hold before they are asked for anew. The " +
      "last good ones are kept as long as the name cannot be resolved.",
  ),
});
