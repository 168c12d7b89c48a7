/**
 * How requests come in, and which host and scheme they are taken to be
 * for: the section `router`.
 */
import * as v from "valibot";
import { hostPattern, ipRange } from "../records/fields.ts";
import { pattern } from "../records/rewrites.ts";
import { globalRateLimits } from "./global_rate_limits.ts";
import { key } from "./key.ts";

export const routing = v.strictObject({
  trusted_proxies: key(
    v.array(ipRange),
    [],
    "IP addresses and ranges of the proxies in front of this server. Only their " +
      "X-Forwarded-* headers are believed.",
    { example: ["10.0.0.0/8"] },
  ),
  match_x_forwarded_host: key(
    v.boolean(),
    false,
    "Whether the host that a call is for is the one in X-Forwarded-Host, if one of the " +
      "trusted_proxies sent it.",
  ),
  web_app_host: key(
    hostPattern,
    "*",
    "The host that has the homepage, the sign-up page and the admin: a name, *.example.org, " +
      ".example.org, or * for every host. At others their paths are free for backends. They are " +
      "always at localhost and at the machine's IP addresses. With one name here, base_url " +
      "should have it too, so that links in refusals lead there.",
    { example: "admin.example.org" },
  ),
  global_rate_limits: key(
    globalRateLimits,
    {},
    "How fast calls may come, before it is looked at what they are for. How many of one address " +
      "may be open at one time is client.max_calls_per_address.",
  ),
  api_backend_required_https_regex_default: key(
    v.nullable(pattern),
    null,
    "Regular expression (RE2, letters of both cases alike) for paths. Plain HTTP calls to APIs " +
      "at these are sent to HTTPS with status 301. Empty means none.",
    { example: "^/secure/" },
  ),
  website_backend_required_https_regex_default: key(
    v.union([v.literal(""), pattern]),
    "^.*",
    "The same for website backends, where HTTPS is on. Empty text means none.",
  ),
  redirect_not_found_to_https: key(
    v.nullable(v.boolean()),
    null,
    "Whether a plain HTTP request that is for no backend and no page is sent to HTTPS with " +
      "status 301. Empty means yes where HTTPS is on, and NOT_FOUND where it is not.",
    { example: false },
  ),
});
