/**
 * The building blocks that several records share: hosts, ports, prefixes, header
 * lists. Field names and rules are API Umbrella's, so that what its
 * users know stays true.
 */
import * as v from "valibot";
import ipaddr from "ipaddr.js";
import { isIpAddress, isIpRange } from "../exchange/ip_address.ts";
import { fieldStep, itemStep } from "./blame_field.ts";

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

export type HeaderPair = v.InferOutput<typeof headerList>[number];

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
    const items = dataset.value;
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      if (seen.has(identity(item))) {
        addIssue({
          message: "is already taken",
          path: [itemStep(items, index), fieldStep(item, key)],
        });
      }
      seen.add(identity(item));
    }
  });
}
