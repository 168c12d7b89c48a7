/**
 * The HTML form of a refusal: what happened, in words for a person, and where to
 * go next. It is often the only page of an agency's that its callers ever meet.
 */
import { waysToSend } from "../keys/ways_to_send.ts";
import { escapeMarkup } from "./markup.ts";
import type { Refusal, RefusalCode, RefusalContext } from "./refusals.ts";
import { waitWords } from "./wait_words.ts";
import type { Variables } from "./variables.ts";

/** What an answer shows, in whatever format; every value is escaped where it is put in. */
export interface RefusalBody {
  readonly refused: Refusal;
  readonly status: number;
  readonly variables: Variables;
  readonly context: RefusalContext;
}

interface Advice {
  readonly title: string;
  /** What the message does not say. */
  readonly text?: string;
  readonly next?: Next;
  /** Whether the caller may not know how a key is sent. */
  readonly showsWays?: true;
}

interface Next {
  readonly words: string;
  /** Null where there is nowhere to go. */
  readonly href: (body: RefusalBody) => string | null;
}

const getKey: Next = {
  words: "Get an API key",
  href: ({ variables }) => variables.text("signup_url"),
};
const contact: Next = { words: "Contact us", href: contactPlace };
const seeWhatIsHere: Next = {
  words: "See what is here",
  href: ({ context }) => context.links.home_url,
};
const useHttps: Next = {
  words: "Try it over HTTPS",
  href: ({ context }) => context.links.https_url,
};

const ourFault = "The fault is on this side. If you ask about it, name the request id.";

const advice: Record<RefusalCode, Advice> = {
  NOT_FOUND: {
    title: "There is nothing at this address",
    text: "The address may be mistyped, or what was here is gone.",
    next: seeWhatIsHere,
  },
  API_KEY_MISSING: { title: "This call needs an API key", next: getKey, showsWays: true },
  API_KEY_INVALID: {
    title: "This API key is not known here",
    text: "Part of it may have been lost on the way here: compare it, character by character.",
    next: getKey,
    showsWays: true,
  },
  API_KEY_DISABLED: { title: "This API key has been disabled", next: contact },
  API_KEY_EXPIRED: { title: "This API key has expired", next: contact },
  API_KEY_UNVERIFIED: { title: "This API key is not verified yet", next: contact },
  API_KEY_UNAUTHORIZED: { title: "This API key may not use this service", next: contact },
  OVER_RATE_LIMIT: { title: "Too many calls for now", next: contact },
  INTERNAL_SERVER_ERROR: { title: "Something went wrong here", text: ourFault, next: contact },
  HTTPS_REQUIRED: { title: "This call must use HTTPS", next: useHttps },
  ORIGIN_NOT_ALLOWED: { title: "Pages of this site may not call this API", next: contact },
  BANNED: { title: "Calls from you are not taken" },
  BAD_REQUEST: { title: "This request could not be read" },
  METHOD_NOT_ALLOWED: { title: "This method is not served" },
  REQUEST_TIMEOUT: { title: "This request took too long to arrive" },
  CONTENT_TOO_LARGE: { title: "This request is too large" },
  URI_TOO_LONG: { title: "This address is too long" },
  TOO_MANY_CALLS: { title: "Too many calls at one time", next: contact },
  REQUEST_HEADER_FIELDS_TOO_LARGE: { title: "The headers of this request are too large" },
  BAD_GATEWAY: { title: "The service gave a broken answer", text: ourFault, next: contact },
  SERVICE_UNAVAILABLE: {
    title: "The service is not there right now",
    text: ourFault,
    next: contact,
  },
  SERVER_BUSY: { title: "There is too much to do here right now", next: contact },
  GATEWAY_TIMEOUT: { title: "The service took too long", text: ourFault, next: contact },
};

export function refusalPage(body: RefusalBody): string {
  const { refused, status, variables, context } = body;
  const { title, text, next, showsWays } = advice[refused.code];
  const parts = [
    paragraph(variables.text("message")),
    paragraph(retryText(refused)),
    paragraph(text ?? ""),
    next === undefined ? "" : button(next, body),
    showsWays ? ways(context) : "",
    facts([
      ["Status", String(status)],
      ["Code", variables.text("code")],
      ["Request id", context.requestId],
    ]),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(title)} · ${escapeMarkup(context.siteName)}</title>
<link rel="icon" type="image/svg+xml" href="/portico/mark.svg">
<link rel="stylesheet" href="/portico/styles.css">
</head>
<body>
<main class="refusal">
<p class="refusal-site">${escapeMarkup(context.siteName)}</p>
<h1>${escapeMarkup(title)}</h1>
${parts.filter((part) => part !== "").join("\n")}
</main>
</body>
</html>
`;
}

function paragraph(text: string): string {
  return text === "" ? "" : `<p>${escapeMarkup(text)}</p>`;
}

/** When to come again, in words for what `Retry-After` says in seconds. */
function retryText({ headers }: Refusal): string {
  const seconds = headers.find(([name]) => name === "retry-after")?.[1];
  return seconds === undefined ? "" : `You can call again ${waitWords(Number(seconds))}.`;
}

function button({ words, href }: Next, body: RefusalBody): string {
  const place = href(body);
  return place === null || !/^(?:https?:\/\/|mailto:|\/)/i.test(place)
    ? ""
    : `<p><a class="button button-primary" href="${escapeMarkup(place)}">${words}</a></p>`;
}

/** Without one in the configuration the message names the homepage, where nobody can be asked. */
function contactPlace({ variables, context }: RefusalBody): string | null {
  const { contact_url, contact_page } = context.links;
  const place = variables.text("contact_url");
  return place === contact_url ? contact_page : place;
}

function ways({ apiKeyMethods, links }: RefusalContext): string {
  // Not by a URL's parser: callers may name hosts that it does not take, such as a.6.
  const protocol = /^https:/i.test(links.base_url) ? "https:" : "http:";
  const items = apiKeyMethods.map((method) => {
    const { title, text, example } = waysToSend[method];
    return `<li><h3>${title}</h3><p class="muted">${text}</p><code>${
      example(protocol)
    }</code></li>`;
  });
  const heading = items.length === 1 ? "How to send it" : "Ways to send it";
  return `<section class="stack" aria-labelledby="ways">
<h2 id="ways">${heading}</h2>
<ol class="ways">
${items.join("\n")}
</ol>
</section>`;
}

function facts(facts: readonly (readonly [name: string, value: string])[]): string {
  const items = facts.map(([name, value]) =>
    `<div><dt>${name}</dt><dd>${escapeMarkup(value)}</dd></div>`
  );
  return `<dl class="refusal-facts">\n${items.join("\n")}\n</dl>`;
}
