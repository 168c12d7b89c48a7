/** Which answers a purge is for: those of a backend, below a prefix, of one URL, or all. */
import * as v from "valibot";
import { canonicalPrefix } from "../exchange/target.ts";
import { withoutApiKey } from "../exchange/api_key.ts";
import { hostName } from "../exchange/host_name.ts";
import { field } from "../records/fields.ts";
import { validate } from "../records/validate.ts";
import { publicHost } from "./key.ts";

/** Whether an answer is meant, by its backend and its URL. */
export type PurgeTarget =
  | "all"
  | ((answer: { readonly backend: string; readonly url: string }) => boolean);

const place = v.pipe(
  v.string(),
  v.trim(),
  v.regex(
    /^(?:https?:\/\/[^/?#@\s]+)?\/[^#\s]*$/i,
    'must be a path such as "/shop/", or begin with http:// or https:// and a host',
  ),
);

const entries = {
  backend_id: field(v.nullish(v.string()), "All answers of this backend."),
  prefix: field(
    v.nullish(place),
    "All answers whose public URL begins like this: https://api.example.org/shop/, or /shop/ at " +
      "any host.",
  ),
  url: field(
    v.nullish(place),
    "The answers to this public URL, with its query; a path means at any host.",
  ),
  all: field(v.nullish(v.boolean()), "true: everything."),
};

export const purgeInput = v.pipe(
  v.strictObject(entries),
  v.check(
    ({ backend_id, prefix, url, all }) =>
      [backend_id, prefix, url, all].filter(Boolean).length === 1,
    "name exactly one of backend_id, prefix, url and all",
  ),
);

/** Throws a `Fault` (422) for what `purgeInput` does not take. */
export function readPurgeTarget(input: unknown): PurgeTarget {
  const { backend_id, prefix, url, all } = validate(purgeInput, input);
  if (all === true) return "all";
  if (prefix) return startsWith(publicPlace(prefix));
  if (url) return is(publicPlace(url));
  return ({ backend }) => backend === backend_id;
}

function startsWith(wanted: string): PurgeTarget {
  return ({ url }) => comparable(url, wanted).startsWith(wanted);
}

function is(wanted: string): PurgeTarget {
  return ({ url }) => comparable(url, wanted) === wanted;
}

/** The URL of an answer, without scheme and host where a path alone is wanted. */
function comparable(url: string, wanted: string): string {
  return wanted.startsWith("/") ? url.slice(url.indexOf("/", url.indexOf("://") + 3)) : url;
}

/** As `cacheKey` spells it. */
function publicPlace(text: string): string {
  const [, scheme, authority, path = "", query] =
    /^(?:(https?):\/\/([^/]+))?(\/[^?]*)(?:\?(.*))?$/is.exec(text) ?? [];
  const kept = query === undefined ? null : withoutApiKey(query);
  const target = canonicalPrefix(path) + (kept === null ? "" : `?${kept}`);
  if (scheme === undefined || authority === undefined) return target;
  const lower = scheme.toLowerCase() === "https" ? "https" : "http";
  return `${lower}://${
    publicHost({ scheme: lower, host: hostName(authority), authority })
  }${target}`;
}
