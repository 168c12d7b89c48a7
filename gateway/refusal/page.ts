/**
 * The HTML form of a refusal: what happened, in words for a person, and where to
 * go next. It is often the only page of an agency's that its callers ever meet.
 */
import { escapeMarkup } from "./markup.ts";
import type { RefusalBody, RefusalCode, RefusalLinks } from "./refusals.ts";

interface Advice {
  readonly title: string;
  readonly next?: readonly [link: keyof RefusalLinks, words: string];
}

const getKey = ["signup_url", "Get an API key"] as const;
const contact = ["contact_page", "Contact us"] as const;

const advice: Record<RefusalCode, Advice> = {
  NOT_FOUND: {
    title: "There is nothing at this address",
    next: ["home_url", "See what is here"],
  },
  API_KEY_MISSING: { title: "This call needs an API key", next: getKey },
  API_KEY_INVALID: { title: "This API key is not known here", next: getKey },
  API_KEY_DISABLED: { title: "This API key has been disabled", next: contact },
  API_KEY_EXPIRED: { title: "This API key has expired", next: contact },
  API_KEY_UNVERIFIED: { title: "This API key is not verified yet", next: contact },
  API_KEY_UNAUTHORIZED: { title: "This API key may not use this service", next: contact },
  OVER_RATE_LIMIT: { title: "Too many calls in a short time", next: contact },
  INTERNAL_SERVER_ERROR: { title: "Something went wrong here", next: contact },
  HTTPS_REQUIRED: { title: "This call must use HTTPS", next: ["https_url", "Try it over HTTPS"] },
  ORIGIN_NOT_ALLOWED: { title: "Pages of this site may not call this API", next: contact },
  BANNED: { title: "Calls from you are not taken" },
  BAD_REQUEST: { title: "This request could not be read" },
  METHOD_NOT_ALLOWED: { title: "This method is not served" },
  REQUEST_TIMEOUT: { title: "This request took too long to arrive" },
  CONTENT_TOO_LARGE: { title: "This request is too large" },
  URI_TOO_LONG: { title: "This address is too long" },
  TOO_MANY_CALLS: { title: "Too many calls at one time", next: contact },
  REQUEST_HEADER_FIELDS_TOO_LARGE: { title: "The headers of this request are too large" },
  BAD_GATEWAY: { title: "The service gave a broken answer", next: contact },
  SERVICE_UNAVAILABLE: { title: "The service is not there right now", next: contact },
  SERVER_BUSY: { title: "There is too much to do here right now", next: contact },
  GATEWAY_TIMEOUT: { title: "The service took too long", next: contact },
};

export function refusalPage({ code, status, message, context }: RefusalBody): string {
  const { title, next } = advice[code];
  const [link, words] = next ?? [];
  const href = link === undefined ? null : context.links[link];
  const button = href === null
    ? ""
    : `<p><a class="button" href="${escapeMarkup(href)}">${words}</a></p>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)} – ${escapeMarkup(context.siteName)}</title>
<link rel="stylesheet" href="/portico/styles.css">
</head>
<body>
<main class="refusal">
<p class="refusal-site">${escapeMarkup(context.siteName)}</p>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(message)}</p>
${button}
<dl class="refusal-facts">
<div><dt>Status</dt><dd>${status}</dd></div>
<div><dt>Code</dt><dd>${code}</dd></div>
<div><dt>Request id</dt><dd>${escapeMarkup(context.requestId)}</dd></div>
</dl>
</main>
</body>
</html>
`;
}
