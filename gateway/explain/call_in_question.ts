/** The request that an admin asks about, spelled as the server would have got it. */
import type { ClientFacts } from "../exchange/client.ts";
import { invalidField } from "../faults.ts";
import type { ExplainInput } from "./explanation.ts";

export interface CallInQuestion {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  /** What a call has that brings one is not asked about: a body can only be announced. */
  readonly body: Request["body"];
  /** The connection's. */
  readonly scheme: "http" | "https";
}

const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)/i;

/**
 * Throws a `Fault` (422) on `url`. A `Host` among the headers is the one that was asked
 * for, whatever host the URL leads to, as for any client.
 */
export function callInQuestion(
  input: ExplainInput,
  client: Pick<ClientFacts, "scheme" | "host">,
): CallInQuestion {
  const { method, url } = input;
  const headers = new Headers(input.headers);
  const [, scheme, authority, target] = url.startsWith("/")
    ? ["", client.scheme, client.host, url.replace(/#.*/s, "")]
    : ABSOLUTE.exec(url) ?? [];
  if (scheme === undefined || authority === undefined || authority === "") {
    throw invalidField("url", 'must be a URL such as "https://api.example.org/x", or begin with /');
  }
  if (!headers.has("host")) headers.set("host", authority);
  const lowerScheme = scheme.toLowerCase() === "https" ? "https" : "http";
  return {
    url: `${lowerScheme}://${headers.get("host")}${onTheWire(target ?? "")}`,
    method,
    headers,
    body: announcesBody(headers) ? new ReadableStream() : null,
    scheme: lowerScheme,
  };
}

/** Clients escape what has no place in a request target, and nothing else. */
function onTheWire(target: string): string {
  return target.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

function announcesBody(headers: Headers): boolean {
  return headers.has("transfer-encoding") || (headers.get("content-length") ?? "0") !== "0";
}
