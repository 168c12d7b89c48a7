/**
 * Every way a call can be refused or fail before it has an upstream's answer:
 * stable codes, statuses and default texts. The first nine are API Umbrella's, to
 * the letter, because clients compare them.
 */
import type { ApiKeyMethod } from "../exchange/api_key.ts";
import type { HeaderFields } from "../exchange/header_fields.ts";

export const refusals = {
  NOT_FOUND: refusal(404, "The requested URL was not found on this server."),
  API_KEY_MISSING: refusal(403, "No api_key was supplied. Get one at {{signup_url}}"),
  API_KEY_INVALID: refusal(403, "An invalid api_key was supplied. Get one at {{signup_url}}"),
  API_KEY_DISABLED: refusal(
    403,
    "The api_key supplied has been disabled. Contact us at {{contact_url}} for assistance",
  ),
  API_KEY_UNVERIFIED: refusal(
    403,
    "The api_key supplied has not been verified yet. Please check your e-mail to verify the API key. Contact us at {{contact_url}} for assistance",
  ),
  API_KEY_UNAUTHORIZED: refusal(
    403,
    "The api_key supplied is not authorized to access the given service. Contact us at {{contact_url}} for assistance",
  ),
  OVER_RATE_LIMIT: refusal(
    429,
    "You have exceeded your rate limit. Try again later or contact us at {{contact_url}} for assistance",
  ),
  INTERNAL_SERVER_ERROR: refusal(
    500,
    "An unexpected error has occurred. Try again later or contact us at {{contact_url}} for assistance",
  ),
  HTTPS_REQUIRED: refusal(
    400,
    "Requests must be made over HTTPS. Try accessing the API at: {{https_url}}",
  ),
  API_KEY_EXPIRED: refusal(
    403,
    "The api_key supplied has expired. Contact us at {{contact_url}} for assistance",
  ),
  ORIGIN_NOT_ALLOWED: refusal(
    403,
    "Pages of the origin {{reason}} may not call this API from a browser. Contact us at {{contact_url}} for assistance",
  ),
  BANNED: refusal(403, "{{reason}}"),
  BAD_REQUEST: refusal(400, "The request is not one this server can pass on. {{reason}}"),
  METHOD_NOT_ALLOWED: refusal(405, "{{reason}}"),
  REQUEST_TIMEOUT: refusal(408, "The body of the request did not arrive in time. {{reason}}"),
  CONTENT_TOO_LARGE: refusal(413, "The body of the request is too large. {{reason}}"),
  URI_TOO_LONG: refusal(414, "The URL of the request is too long. {{reason}}"),
  TOO_MANY_CALLS: refusal(
    429,
    "You have too many calls open at one time. Wait until some of them have ended, or contact us at {{contact_url}} for assistance",
  ),
  REQUEST_HEADER_FIELDS_TOO_LARGE: refusal(
    431,
    "The headers of the request are too large. {{reason}}",
  ),
  BAD_GATEWAY: refusal(
    502,
    "The service behind this API gave an answer that could not be understood. Try again later or contact us at {{contact_url}} for assistance",
  ),
  SERVICE_UNAVAILABLE: refusal(
    503,
    "The service behind this API cannot be reached. Try again later or contact us at {{contact_url}} for assistance",
  ),
  SERVER_BUSY: refusal(
    503,
    "This server cannot take the call right now. Try again in a moment or contact us at {{contact_url}} for assistance",
  ),
  GATEWAY_TIMEOUT: refusal(
    504,
    "The service behind this API took too long to answer. Try again later or contact us at {{contact_url}} for assistance",
  ),
} as const;

export type RefusalCode = keyof typeof refusals;

interface RefusalText {
  readonly status: number;
  /** `{{name}}` is replaced by the variable of that name. */
  readonly message: string;
}

function refusal(status: number, message: string): RefusalText {
  return { status, message };
}

/** A stage's word that the call must not go on. */
export class Refusal {
  constructor(
    readonly code: RefusalCode,
    /** For `{{reason}}` in the message. */
    readonly reason: string = "",
    /** Headers that belong to this refusal, such as `Retry-After`. */
    readonly headers: HeaderFields = [],
    /**
     * What it went by, for the log and for whoever asks why: `over 20
     * calls a second by API key`.
     */
    readonly rule: string | null = null,
  ) {}
}

/** Where an answer's variables and the HTML page's button lead. */
export interface RefusalLinks {
  /** Scheme and host of this server, without a trailing slash. */
  readonly base_url: string;
  readonly signup_url: string;
  readonly contact_url: string;
  /** Where somebody can be asked; null if the configuration names no place. */
  readonly contact_page: string | null;
  readonly https_url: string;
  /** The homepage, which lists what is here. */
  readonly home_url: string;
}

/** What an answer is made of besides the refusal itself. */
export interface RefusalContext {
  readonly requestId: string;
  /** Path, query and Accept decide the format. */
  readonly path: string;
  readonly query: string | null;
  readonly accept: string | null;
  readonly siteName: string;
  /** The ways to send a key that are taken here. */
  readonly apiKeyMethods: readonly ApiKeyMethod[];
  readonly links: RefusalLinks;
}
