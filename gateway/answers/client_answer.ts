/**
 * The backend's answer as its client gets it: a redirect leads to the public URL, and
 * the body is in a coding that the client takes. What is neither costs a look.
 */
import type { Configuration } from "../config/configuration.ts";
import { readApiKey } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { publicOrigin } from "../exchange/public_origin.ts";
import type { Admitted } from "../stages/pipeline.ts";
import type { UpstreamResponse } from "../upstream/call.ts";
import { UpstreamFault } from "../upstream/faults.ts";
import { decideCoding, recodedHeaders, variedHeaders } from "./body_coding.ts";
import { publicLocation } from "./location.ts";
import { RecodedBody } from "./recoded_body.ts";

export interface ClientAnswer extends UpstreamResponse {
  /** Null: the body is the backend's, byte for byte. */
  readonly recoded: RecodedBody | null;
}

/**
 * @param server that answered
 * @throws {UpstreamFault} when the body is not what the answer says
 */
export function clientAnswer(
  answer: UpstreamResponse,
  verdict: Admitted,
  exchange: Exchange,
  config: Configuration,
  server: string,
): ClientAnswer {
  const { recoding, varies } = decideCoding(answer, exchange, verdict.settings.answers.compresses);
  const located = withPublicLocation(answer.headers, verdict, exchange, config);
  const headers = varies ? variedHeaders(located) : located;
  if (recoding === null || answer.body === null) return { ...answer, headers, recoded: null };
  try {
    const recoded = new RecodedBody(answer.body, recoding);
    return {
      status: answer.status,
      headers: recodedHeaders(headers, recoding),
      body: recoded.body,
      recoded,
    };
  } catch (error) {
    throw new UpstreamFault("invalid_response", server, "sent a body that is no gzip", error);
  }
}

function withPublicLocation(
  headers: UpstreamResponse["headers"],
  verdict: Admitted,
  exchange: Exchange,
  config: Configuration,
): UpstreamResponse["headers"] {
  if (!headers.some(([name]) => name === "location")) return headers;
  const { route: { backend, backendPrefix, frontendPrefix }, holder } = verdict;
  const redirected = {
    upstreamHost: backend.upstreamHost(exchange.host, exchange.authority),
    backendPrefix,
    frontendPrefix,
    publicOrigin: (scheme: "http" | "https") =>
      publicOrigin(config, exchange, scheme, backend.publicHost ?? exchange.host),
    keyInQuery: holder === null ? null : readApiKey(exchange, ["get_param"])?.key ?? null,
  };
  return headers.map(([name, value]) => [
    name,
    name === "location" ? publicLocation(value, redirected) : value,
  ]);
}
