/** Fields of cross-origin sharing (CORS, Fetch §3.3). */
import * as v from "valibot";
import { HEADER_NAME, requiredText } from "./fields.ts";

/** An origin (RFC 6454 §6.2): scheme, host, port unless it is the usual one; or a pattern of one. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:\*\.)?(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** An origin, `https://*.example.org` for those of all its subdomains, or `*` for any. */
export const allowedOrigin = v.pipe(
  requiredText(255),
  v.toLowerCase(),
  v.check(
    (value) => value === "*" || ORIGIN.test(value),
    'must be in the format of "https://app.example.org", "https://*.example.org" or "*"',
  ),
);

export const headerName = v.pipe(
  requiredText(255),
  v.regex(HEADER_NAME, "is not a valid header name"),
);

export const corsMethod = v.pipe(
  requiredText(32),
  v.regex(/^[A-Z]+$/, "must be a method in capitals, such as GET"),
);
