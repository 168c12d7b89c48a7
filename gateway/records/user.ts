/**
 * An API user: the holder of one API key, with the person's details, roles and
 * own limits. The key itself is never in the record.
 */
import * as v from "valibot";
import type { RecordStamps } from "./stamps.ts";
import {
  customNeedsLimits,
  ipRange,
  limitsAreCustom,
  oneOf,
  rateLimits,
  requiredText,
  role,
  text,
} from "./fields.ts";

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

export const userSettings = v.pipe(
  v.strictObject({
    rate_limit_mode: v.nullish(oneOf("unlimited", "custom")),
    rate_limits: v.nullish(rateLimits, () => []),
    allowed_ips: v.nullish(v.array(ipRange), () => []),
  }),
  customNeedsLimits(),
  limitsAreCustom(),
);

/** What an admin sends to create or change a key holder. */
export const userInput = v.strictObject({
  ...person,
  roles: v.nullish(v.array(role), () => []),
  enabled: v.nullish(v.boolean(), true),
  throttle_by_ip: v.pipe(
    v.nullish(v.boolean(), false),
    v.description("Count this user's calls by IP address, also where limits are by API key."),
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
