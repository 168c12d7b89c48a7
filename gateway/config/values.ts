/** Kinds of values that only the configuration has: ports, URLs of this server, paths. */
import * as v from "valibot";
import ipaddr from "ipaddr.js";
import { requiredText, text, wholeNumber } from "../records/fields.ts";
import { isStoreUrl } from "./store_location.ts";

/** 0 lets the system choose a free port, which the ready line then names. */
export const listenPort = wholeNumber(0, 65535);

export const listenAddress = v.pipe(
  requiredText(64),
  v.check(
    (value) => value === "*" || ipaddr.isValid(value.replace(/^\[(.*)\]$/, "$1")),
    'must be "*" or an IP address such as "127.0.0.1" or "[::1]"',
  ),
);

function isOrigin(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^https?:\/\//i.test(value)) return false;
  return url.username === "" && url.password === "" && !/[?#\s\\]/.test(value) &&
    url.pathname === "/";
}

/** Scheme, host and port of this server as callers see it; the last slash is dropped. */
export const origin = v.pipe(
  requiredText(2048),
  v.check(
    isOrigin,
    'must be an http or https URL without path or query: "https://api.example.org"',
  ),
  v.transform((value) => value.replace(/\/$/, "")),
);

export const contact = v.pipe(
  text(2048),
  v.check(
    (value) => value === "" || /^(https?:\/\/|mailto:)[^\s"<>]+$/i.test(value),
    'must be an http or https URL, a "mailto:" address, or empty',
  ),
);

/** Empty: there is none. */
export const pageUrl = v.pipe(
  text(2048),
  v.check(
    (value) => value === "" || /^https?:\/\/[^\s"<>]+$/i.test(value) && URL.canParse(value),
    "must be an http or https URL, or empty",
  ),
);

export const secretKey = v.pipe(
  text(1024),
  v.minLength(32, "must be at least 32 characters long; `openssl rand -hex 32` makes one"),
);

/** Path of a file or folder; none holds a NUL. */
export const path = v.pipe(
  requiredText(4096),
  v.excludes("\0", "must not contain a NUL character"),
  v.excludes("-----BEGIN ", "must be the path of a file, not what is in it"),
);

export const storeLocation = v.pipe(
  path,
  v.check(
    (value) => isStoreUrl(value) || !/^[a-z][a-z0-9+.-]*:\/\/|\/$/i.test(value),
    "must be the path of a file, :memory:, or the http or https URL of a KV Connect server",
  ),
);

export const workers = v.custom<"auto" | number>(
  (value) =>
    value === "auto" || (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 256),
  'must be "auto" or a whole number from 1 to 256',
);

export const bcryptHash = v.pipe(
  v.string(),
  v.regex(
    /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/,
    'must be a bcrypt hash: 60 characters that begin with "$2"',
  ),
);
