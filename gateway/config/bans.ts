/** The section `ban`: who is not served at all. */
import * as v from "valibot";
import { ipRange, numberWithin, requiredText, wholeNumber } from "../records/fields.ts";
import { pattern } from "../records/rewrites.ts";
import { key } from "./key.ts";

/** nginx marks a regular expression by `~` or `~*`; API Umbrella's files have that. */
const userAgent = v.pipe(
  v.string(),
  v.transform((value) => value.replace(/^~\*?/, "")),
  pattern,
);

export const bans = v.strictObject({
  ips: key(
    v.array(ipRange),
    [],
    "IP addresses and ranges that are not served.",
    { example: ["192.0.2.0/24"] },
  ),
  user_agents: key(
    v.array(userAgent),
    [],
    "Regular expressions (RE2, letters of both cases alike) for the User-Agent header: whom one " +
      "matches is not served. ^$ is who names none.",
    { example: ["badbot"] },
  ),
  response: key(
    v.strictObject({
      status_code: key(wholeNumber(400, 599), 403, "Status of the answer."),
      delay: key(
        numberWithin(0, 60, "a number of seconds", Number.isFinite),
        0,
        "How long the answer is held back, in seconds. When many are held, others come at once.",
      ),
      message: key(
        requiredText(1024),
        "Please contact us for assistance.",
        "Text of the answer.",
      ),
    }),
    {},
    "What the banned are told.",
  ),
});

export type BanSettings = v.InferOutput<typeof bans>;
