/** Fields of cross-origin sharing (CORS, Fetch §3.3). */
import * as v from "valibot";
import { blameField } from "./blame_field.ts";
import { HEADER_NAME, requiredText } from "./fields.ts";

/**
 * An origin (RFC 6454 §6.2): scheme, host, port unless it is the usual
 * one; or a pattern of one.
 */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/(?:\*\.)?(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** An origin, `https://*.example.org` for those of all its subdomains, or `*` for any. */
export const allowedOrigin = v.pipe(
  requiredText(255),
  v.toLowerCase(),
  v.check(
    (value) => value === "*" || ORIGIN.test(value),
    'must be in the format of "https://app.example.org", "https://*.example.org" or "*"',
  ),
  v.transform(withoutUsualPort),
);

/** Browsers leave the usual port out of an origin (URL §5.2, serialization of origins). */
function withoutUsualPort(origin: string): string {
  return origin.replace(/^(https:.*):443$|^(http:.*):80$/, "$1$2");
}

export const headerName = v.pipe(
  requiredText(255),
  v.regex(HEADER_NAME, "is not a valid header name"),
);

export const corsMethod = v.pipe(
  requiredText(32),
  v.regex(/^[A-Z]+$/, "must be a method in capitals, such as GET"),
);

interface SharingSettings {
  readonly cors_allow_credentials?: boolean | null | undefined;
  readonly cors_allowed_origins?: readonly string[] | undefined;
}

/**
 * With any origin, every page that somebody opens could call with that person's cookies,
 * so credentials take a list; one that is inherited may be widened elsewhere.
 */
export function credentialsNeedOrigins<T extends SharingSettings>() {
  return blameField<T>(({ cors_allow_credentials, cors_allowed_origins = [] }) => {
    const areNamed = cors_allowed_origins.length > 0 && !cors_allowed_origins.includes("*");
    return cors_allow_credentials !== true || areNamed ? null : {
      field: "cors_allowed_origins",
      message: "must name the origins, and not any, where cors_allow_credentials is on",
    };
  });
}
