/**
 * The building blocks that several records share: hosts, ports, prefixes, header
 * lists, rate limits. Field names and rules are API Umbrella's, so that what its
 * users know stays true.
 */
import * as v from "valibot";
import ipaddr from "ipaddr.js";
import { isIpAddress, isIpRange } from "../exchange/ip_address.ts";

const PLAIN_HOST = /^[a-zA-Z0-9:][a-zA-Z0-9\-.:]*$/;
const BRACKETED_IPV6 = /^\[[0-9a-fA-F:.]+\](:\d{1,5})?$/;
export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/; // token, RFC 9110 §5.6.2
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/; // field-content, RFC 9110 §5.5

/** A field with what it is for, in the API's description and in the example configuration. */
export function field<const S extends v.GenericSchema>(schema: S, description: string) {
  return v.pipe(schema, v.description(description));
}

/**
 * Text of at most `max` characters; leading and trailing white space is dropped. Half a
 * character (a lone surrogate) is refused: it has no place in a URL, a header or UTF-8.
 */
export function text(max: number) {
  return v.pipe(
    v.string(),
    v.trim(),
    v.check((value) => value.isWellFormed(), "is not valid Unicode"),
    v.maxLength(max, `is too long (maximum is ${max} characters)`),
  );
}

/** Text that must not be empty. */
export function requiredText(max: number, blank = "can't be blank") {
  return v.pipe(text(max), v.minLength(1, blank));
}

/** One of a few words; the message lists them. */
export function oneOf<const T extends readonly string[]>(...options: T) {
  return v.picklist(options, `is not included in the list (${options.join(", ")})`);
}

function isHost(value: string): boolean {
  return PLAIN_HOST.test(value) || BRACKETED_IPV6.test(value);
}

/** A host name, IPv4 or IPv6 literal, without scheme, port, path or wildcard. */
export const host = v.pipe(
  requiredText(255),
  v.check(
    (value) => isHost(value) && (!value.includes(":") || isIpv6(value)),
    'must be in the format of "example.com"',
  ),
);

function isIpv6(value: string): boolean {
  return ipaddr.IPv6.isValid(value.replace(/^\[(.*)\]$/, "$1"));
}

/** A host, or `*`, `*.example.com`, `.example.com`. */
export const hostPattern = v.pipe(
  requiredText(255),
  v.check(
    (value) => value === "*" || isHost(value.replace(/^(\*\.|\.)/, "")),
    'must be in the format of "example.com", "*.example.com", ".example.com" or "*"',
  ),
);

/** A number within bounds, `what` it is being said in the error. */
export function numberWithin(
  min: number,
  max: number,
  what: string,
  allows: (value: number) => boolean,
) {
  const message = `must be ${what} from ${min} to ${max}`;
  return v.pipe(
    v.number(message),
    v.check((value) => value >= min && value <= max && allows(value), message),
  );
}

export function wholeNumber(min: number, max: number) {
  return numberWithin(min, max, "a whole number", Number.isInteger);
}

export const port = wholeNumber(1, 65535);

/** A path prefix: begins with `/`, no query, fragment, space or control character. */
export const pathPrefix = v.pipe(
  requiredText(255),
  v.startsWith("/", 'must start with "/"'),
  v.check(
    // deno-lint-ignore no-control-regex -- control characters are what is refused
    (value) => !/[?#\s\\\x00-\x1f\x7f]/.test(value),
    "must be a path alone: no query, fragment, space or backslash",
  ),
  v.check(
    (value) => !value.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment)),
    'must not contain the segments "." or ".."',
  ),
);

/** Fields that frame a message or concern one connection: only the gateway may write them. */
const FRAMING_HEADERS = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** `[{"key","value"}]`, kept in order. */
export const headerList = v.array(v.strictObject({
  key: v.pipe(
    requiredText(255),
    v.regex(HEADER_NAME, "is not a valid header name"),
    v.check(
      (name) => !FRAMING_HEADERS.has(name.toLowerCase()),
      "is a header that the gateway has to write itself",
    ),
  ),
  value: v.pipe(text(4096), v.regex(HEADER_VALUE, "must be on one line, in Latin-1 characters")),
}));

/** An IP address or a CIDR range, v4 or v6. */
export const ipRange = v.pipe(
  requiredText(64),
  v.check(
    (value) => isIpAddress(value) || isIpRange(value),
    'must be an IP address or a range such as "10.0.0.0/8"',
  ),
);

/** A size; every whole number up to this is exact. */
export const bytes = wholeNumber(0, Number.MAX_SAFE_INTEGER);

/** Seconds, fractions allowed. */
export const seconds = v.pipe(
  v.number(),
  v.check((value) => value > 0 && value <= 86_400, "must be more than 0 and at most 86400 seconds"),
);

/** A role; roles go to the backend as one header, parted by commas. */
export const role = v.pipe(
  requiredText(255),
  v.regex(
    /^[\x20-\x2b\x2d-\x7e\xa0-\xff]*$/,
    "must be on one line, in Latin-1 characters, without commas",
  ),
);

/** No two items alike; the second one is to blame, at its field `key`. */
export function unique<T extends object>(key: string & keyof T, identity: (item: T) => string) {
  return v.rawCheck<T[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const seen = new Set<string>();
    dataset.value.forEach((item, index) => {
      if (seen.has(identity(item))) {
        addIssue({
          message: "is already taken",
          path: [
            { type: "array", origin: "value", input: dataset.value, key: index, value: item },
            {
              type: "object",
              origin: "value",
              input: item as Record<string, unknown>,
              key,
              value: item[key],
            },
          ],
        });
      }
      seen.add(identity(item));
    });
  });
}

/** What a counter can hold. */
export const MOST_CALLS = 2 ** 32 - 1;

const rateLimit = v.strictObject({
  duration: v.pipe(
    v.number(),
    v.check(
      (value) => Number.isInteger(value) && value >= 1000 && value <= 31_622_400_000,
      "must be whole milliseconds, from 1000 (a second) to 31622400000 (366 days)",
    ),
    v.description("Milliseconds in which the calls are counted."),
  ),
  limit_by: v.pipe(
    oneOf("api_key", "ip"),
    v.description(
      "api_key counts the calls of a key (without one, of an address), ip those of an IP " +
        "address. Of IPv6, a /64 network is one address.",
    ),
  ),
  limit: v.pipe(
    wholeNumber(1, MOST_CALLS),
    v.description("Calls that may lie in any such time."),
  ),
  response_headers: v.pipe(
    v.optional(v.boolean(), false),
    v.description(
      "Whether answers tell of this limit, in X-RateLimit and RateLimit headers. Of several, " +
        "they tell of the last.",
    ),
  ),
});

export const rateLimits = v.pipe(
  v.array(rateLimit),
  unique("duration", (limit) => `${limit.limit_by} ${limit.duration}`),
);

export type RateLimit = v.InferOutput<typeof rateLimits>[number];
export type HeaderPair = v.InferOutput<typeof headerList>[number];

interface LimitSettings {
  readonly rate_limit_mode?: string | null | undefined;
  readonly rate_limits?: readonly unknown[] | undefined;
}

/** `custom` needs limits: an empty list must never come to mean "unlimited". */
export function customNeedsLimits<T extends LimitSettings>() {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.rate_limit_mode !== "custom") return;
    if ((dataset.value.rate_limits ?? []).length > 0) return;
    addIssue({
      message:
        'must hold at least one limit in the mode "custom"; "unlimited" is a mode of its own',
      path: [{
        type: "object",
        origin: "value",
        input: dataset.value as unknown as Record<string, unknown>,
        key: "rate_limits",
        value: dataset.value.rate_limits,
      }],
    });
  });
}

/** Limits that come without a mode are meant to hold, so the mode is `custom`; null says "inherit". */
export function limitsAreCustom<T extends LimitSettings>() {
  return v.transform<T, T>((settings) =>
    settings.rate_limit_mode === undefined && (settings.rate_limits ?? []).length > 0
      ? { ...settings, rate_limit_mode: "custom" }
      : settings
  );
}
