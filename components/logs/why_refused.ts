/** Why a call was refused, or failed, for whoever looks it up: what it means, what helps. */
import type { RefusalCode } from "@/gateway/refusal/refusals.ts";

const refusals: Readonly<Record<Lowercase<RefusalCode>, string>> = {
  not_found: "No published API backend has this host and a prefix of this path. Either the " +
    "address is mistyped, or the API backend is not published.",
  api_key_missing: "The API backend asks for a key, and the call carried none: no X-Api-Key " +
    "header, no api_key in the query, no Basic user name.",
  api_key_invalid: "The call carried a key that nobody holds: mistyped, cut off, or of a user " +
    "who has been deleted.",
  api_key_disabled: "The key's holder is disabled. Enabling the API user lets calls through " +
    "again within a second.",
  api_key_expired:
    "The key was taken until its holder's expires_at. A later time there, or none, " +
    "lets calls through again within a second.",
  api_key_unverified: "The key's holder has not confirmed the email address yet.",
  api_key_unauthorized: "The key is good, but lacks a role that the API backend asks for, or a " +
    "list of allowed IP addresses or referers, the API backend's or the key's own, does not hold " +
    "the caller's.",
  over_rate_limit:
    "The caller has used up a rate limit or a quota: its own, the API backend's or " +
    "the server's. It is let through again once the limit's time is over.",
  internal_server_error: "Portico itself failed. The server's log has the details under this " +
    "request id.",
  https_required:
    "The call came over plain HTTP, and the API backend takes HTTPS alone; or takes it " +
    "alone of calls without a key and with keys made since it is in transition.",
  origin_not_allowed:
    "A browser asked whether a page of another site may call (a CORS preflight), " +
    "and cors_allowed_origins does not hold that site.",
  banned: "The caller's IP address or user agent is in the configuration file's list of bans.",
  bad_request: "The request was not one that can be passed on safely: an ambiguous path, a bad " +
    "Host header or the like. The answer told the caller which.",
  method_not_allowed: "CONNECT and TRACE are never passed on.",
  request_timeout: "The caller began to send a body and then nothing for a while, or too little. " +
    "client.body_timeout_seconds and client.body_min_bytes_per_second say how slow it may be.",
  content_too_large: "The body was larger than client.body_max_bytes, or the API backend's own " +
    "limit, allows.",
  uri_too_long: "Path and query were longer than client.url_max_bytes allows.",
  too_many_calls: "The caller's address had client.max_calls_per_address calls open already.",
  request_header_fields_too_large: "The headers were larger than client.header_max_bytes (one of " +
    "them) or client.headers_max_bytes (all of them) allows.",
  server_busy: "There were client.max_calls calls open already, or the server was about to stop.",
  bad_gateway: "The upstream server gave an answer that breaks the rules of HTTP.",
  service_unavailable: "No upstream server of the API backend could be reached.",
  gateway_timeout: "The upstream server did not answer within the API backend's timeout.",
};

const failures: Readonly<Record<string, string>> = {
  answer_cut_short: "The answer had begun, then the connection to the upstream server or to " +
    "the caller broke off.",
  client_left: "The caller hung up before there was an answer. The log says 499 for that.",
  upstream_unreachable: "No upstream server of the API backend took the connection. The caller " +
    "got 503.",
  upstream_timeout: "The upstream server took longer than the API backend's timeout. The caller " +
    "got 504.",
  upstream_invalid_response: "The upstream server's answer broke the rules of HTTP. The caller " +
    "got 502.",
  websocket_client_lost: "The caller's end of the WebSocket went without closing it, or gave no " +
    "sign of life.",
  websocket_client_stalled: "The caller took nothing from its WebSocket for as long as " +
    "client.send_timeout_seconds allows.",
  websocket_message_too_big: "A message was larger than the 16 MiB that a WebSocket may carry at " +
    "once. Whoever sent it was closed with 1009.",
  websocket_queue_too_long: "The caller sent more over its WebSocket than the upstream server " +
    "took, and could not be held back. It was closed with 1013.",
  websocket_upstream_invalid:
    "The upstream server broke the rules of WebSocket. The caller's end " +
    "was closed with 1011.",
  websocket_upstream_lost: "The upstream server's end of the WebSocket went without closing it, " +
    "or gave no sign of life. The caller's end was closed with 1011.",
};

/** A WebSocket that ended as it should: one side closed it, with this code. */
const CLOSED = /^websocket_closed_\d{4}$/;

interface Reasons {
  readonly gatekeeper_denied_code?: string | undefined;
  readonly api_backend_response_code_details?: string | undefined;
}

/** The meaning of a call's denied code or upstream failure; null for a call that went well. */
export function whyRefused(call: Reasons): string | null {
  const { gatekeeper_denied_code: denied, api_backend_response_code_details: failure } = call;
  if (denied !== undefined) {
    const meaning = known(refusals, denied) ?? `The call was refused: ${denied}.`;
    return failure === undefined ? meaning : `${meaning} This call was ${failure}.`;
  }
  if (failure === undefined || CLOSED.test(failure)) return null;
  return known(failures, failure) ?? `The call failed: ${failure}.`;
}

function known(meanings: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(meanings, code) ? meanings[code] : undefined;
}
