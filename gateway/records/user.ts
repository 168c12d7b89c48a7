/**
 * An API user: the holder of one API key, with the person's details, roles and
 * own limits. The key itself is never in the record.
 */
import * as v from "valibot";
import type { RecordStamps } from "./stamps.ts";
import { field, ipRange, oneOf, requiredText, role, text, unique } from "./fields.ts";
import { isoTime, refererPattern } from "./access.ts";
import { quotas, unlimitedHasNoQuotas } from "./quotas.ts";
import { customNeedsLimits, limitsAreCustom, rateLimits } from "./rate_limits.ts";

const EMAIL = /^[^@<>\s]+@[^@<>\s]+\.[^@<>\s]+$/;
/** Names are mailed and shown: no links, tags or line breaks in them. */
// deno-lint-ignore no-control-regex -- control characters are what is refused
const NOT_A_NAME = /(https?:|www\.|[<>\x00-\x1f\x7f])/i;

// An absent field is treated as an empty one, so that its own message is shown.
const personName = (blank: string) =>
  v.nullish(
    v.pipe(
      requiredText(80, blank),
      v.check((value) => !NOT_A_NAME.test(value), "must be a name, without links or tags"),
    ),
    "",
  );

const email = v.nullish(
  v.pipe(
    text(255),
    v.minLength(1, "Provide your email address."),
    v.check((value) => value === "" || EMAIL.test(value), "Provide a valid email address."),
  ),
  "",
);

const person = {
  email,
  first_name: personName("Provide your first name."),
  last_name: personName("Provide your last name."),
  use_description: v.nullish(text(2000), ""),
};

/** What a user may do at one backend. */
const backendLimits = v.pipe(
  v.array(v.pipe(
    v.strictObject({
      backend_id: field(requiredText(64), "Id of the API backend."),
      rate_limit_mode: field(
        v.nullish(oneOf("unlimited", "custom")),
        "unlimited, or custom for the limits in rate_limits. Empty means those that hold anyway.",
      ),
      rate_limits: field(v.nullish(rateLimits, () => []), "Limits of calls to this backend."),
      quotas: field(v.nullish(quotas, () => []), "Quotas of calls to this backend."),
    }),
    customNeedsLimits(),
    limitsAreCustom(),
    unlimitedHasNoQuotas(),
  )),
  v.maxLength(100, "must hold at most 100 backends"),
  unique("backend_id", ({ backend_id }) => backend_id),
);

export const userSettings = v.pipe(
  v.strictObject({
    rate_limit_mode: field(
      v.nullish(oneOf("unlimited", "custom")),
      "unlimited, or custom for the limits in rate_limits. Empty means those of the backend.",
    ),
    rate_limits: field(
      v.nullish(rateLimits, () => []),
      "Limits in place of the backend's, for every backend.",
    ),
    quotas: field(
      v.nullish(quotas, () => []),
      "Quotas in place of the backend's, for every backend.",
    ),
    backend_limits: field(
      v.nullish(backendLimits, () => []),
      "Limits and quotas in place of all others, for one backend each.",
    ),
    allowed_ips: field(
      v.nullish(v.array(ipRange), () => []),
      "IP addresses and ranges that the key may be used from. Empty means any.",
    ),
    allowed_referers: field(
      v.nullish(v.array(refererPattern), () => []),
      "Pages that the key may be used from, by Referer or else Origin; * stands for anything. " +
        "Empty means any.",
    ),
  }),
  customNeedsLimits(),
  limitsAreCustom(),
  unlimitedHasNoQuotas(),
);

/** Levels of objects and lists within metadata; without a bound, writing them runs out of stack. */
const METADATA_DEPTH_MAX = 32;

function isNestedWithin(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isNestedWithin(levels - 1, inner));
}

/** What an admin sends to create or change a key holder. */
export const userInput = v.strictObject({
  ...person,
  website: field(
    v.nullish(
      v.pipe(
        text(255),
        v.check(
          (value) => value === "" || /\w+\.\w+/.test(value),
          "must be a valid URL in the form of http://example.com",
        ),
      ),
      "",
    ),
    "The web site that the key is used for.",
  ),
  metadata: field(
    v.nullish(
      v.pipe(
        v.unknown(),
        v.check((value) => !Array.isArray(value), "must be an object, not a list"),
        v.record(v.string(), v.unknown()),
        v.check(
          (value) => isNestedWithin(METADATA_DEPTH_MAX, value),
          `is nested too deep (maximum is ${METADATA_DEPTH_MAX} levels)`,
        ),
      ),
      null,
    ),
    "Whatever else the admins want to keep of this user.",
  ),
  email_verified: field(
    v.nullish(v.boolean(), false),
    "Whether the address is known to be this user's; backends may ask for that.",
  ),
  roles: field(v.nullish(v.array(role), () => []), "What the key may be used for."),
  enabled: field(v.nullish(v.boolean(), true), "Whether the key is taken at all."),
  expires_at: field(
    v.nullish(isoTime, null),
    "When the key stops being taken. Empty means never.",
  ),
  throttle_by_ip: field(
    v.nullish(v.boolean(), false),
    "Count this user's calls by IP address, also where limits are by API key.",
  ),
  settings: v.nullish(userSettings, () => v.parse(userSettings, {})),
});

/** How a form says yes. */
const AGREED: ReadonlySet<unknown> = new Set(["true", "1", "on", "yes"]);

/** What a visitor sends to the sign-up page. A form's checkbox arrives as text. */
export const signupInput = v.strictObject({
  ...person,
  terms_and_conditions: v.pipe(
    v.optional(v.unknown(), false),
    v.check(
      (value) => value === true || value === 1 || AGREED.has(value),
      "Check the box to agree to the terms and conditions.",
    ),
    v.transform(() => true),
  ),
});

export type UserInput = v.InferOutput<typeof userInput>;

/** A key holder as stored, but for the key's hash. */
export type ApiUser = UserInput & RecordStamps & {
  /** The first characters of the key, to tell keys apart: `ptk_a1B2c3…`. */
  readonly api_key_preview: string;
  /** Where the record came from: `web` (sign-up page), `api` (sign-up JSON), `admin`. */
  readonly registration_source: "web" | "api" | "admin";
  readonly registration_ip: string | null;
};
