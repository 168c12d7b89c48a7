/**
 * A backend's servers: where they are, how they are verified over TLS, and how they
 * are asked whether they are well.
 */
import * as v from "valibot";
import { certificates } from "./certificates.ts";
import { field, host, numberWithin, port, seconds, text, wholeNumber } from "./fields.ts";

export const backendServer = v.strictObject({
  host: field(host, "Host name or IP address."),
  port: field(port, "Port."),
});

export const backendTls = v.strictObject({
  verify: field(
    v.nullish(v.boolean(), true),
    "Whether a server's certificate must be valid and made out to its host. Without, anybody " +
      "between Portico and the server can read and change what is sent.",
  ),
  ca: field(
    v.nullish(certificates, null),
    "Certificates in PEM, the text itself, that are trusted besides the well-known ones: of an " +
      "authority of your own, or a server's self-signed one.",
  ),
  server_name: field(
    v.nullish(v.union([v.pipe(text(255), v.literal("")), host]), null),
    "Name to ask the servers for (SNI) and to expect in their certificates. Empty means the " +
      "server's host.",
  ),
});

/** What a request asks for: a path, and a query if there is one. */
const target = v.pipe(
  text(1024),
  v.regex(/^\/[\x21\x22\x24-\x7e]*$/, 'must start with "/", without spaces and without #'),
);

const status = numberWithin(200, 599, "a status", Number.isInteger);

const timesInARow = wholeNumber(1, 100);

const interval = numberWithin(1, 86_400, "a number of seconds", Number.isFinite);

export const healthCheck = v.strictObject({
  path: field(target, "Path, and query if need be, that a server is asked for with GET."),
  interval_seconds: field(
    v.nullish(interval, 10),
    "Time from one check to the next. Each of the workers checks by itself.",
  ),
  timeout_seconds: field(
    v.nullish(seconds, 5),
    "Longest time until the answer is whole.",
  ),
  healthy_after: field(
    v.nullish(timesInARow, 2),
    "Checks in a row that an unhealthy server has to pass.",
  ),
  unhealthy_after: field(
    v.nullish(timesInARow, 3),
    "Checks in a row after which a server that fails them gets calls only when no other remains.",
  ),
  expected_statuses: field(
    v.nullish(v.pipe(v.array(status), v.maxLength(50, "must hold at most 50 statuses")), () => []),
    "Statuses that pass. Empty means 200 to 399.",
  ),
});
