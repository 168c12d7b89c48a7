/**
 * Puts together the log row of one call; every text is free of API keys. How long a
 * text may be is the log's business (`gateway/logs/packing.ts`).
 */
import { masked, withoutApiKey } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { fieldValue, type HeaderFields } from "../exchange/header_fields.ts";
import { portOf } from "../exchange/host_name.ts";
import type { LogRow } from "../records/log_row.ts";
import type { Verdict } from "../stages/pipeline.ts";

/** How a call ended. */
export interface Outcome {
  readonly status: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  readonly responseHeaders: HeaderFields;
  /** `host:port` of the server that was asked. */
  readonly server?: string | undefined;
  /** Why an answer is the gateway's own, or was cut short; a refusal may know (`Refusal.rule`). */
  readonly detail?: string | undefined;
}

export function logEntry(exchange: Exchange, verdict: Verdict, outcome: Outcome): LogRow {
  const { route, holder } = verdict;
  const { headers } = exchange;
  const answer = outcome.responseHeaders;
  const refusal = verdict.kind === "refuse" ? verdict.refusal : null;
  return {
    request_id: exchange.requestId,
    request_at: Date.now(),
    request_method: exchange.method,
    request_scheme: exchange.scheme,
    request_host: masked(exchange.host),
    request_port: numberOf(portOf(exchange.authority)),
    request_path: masked(exchange.path),
    request_url_query: text(withoutApiKey(exchange.query)),
    request_ip: exchange.address,
    request_user_agent: text(headers.get("user-agent")),
    request_accept: text(headers.get("accept")),
    request_accept_encoding: text(headers.get("accept-encoding")),
    request_content_type: text(headers.get("content-type")),
    request_origin: text(headers.get("origin")),
    request_referer: text(headers.get("referer")),
    request_size: outcome.requestBytes,
    response_status: outcome.status,
    response_time: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
    response_size: outcome.responseBytes,
    response_content_type: text(fieldValue(answer, "content-type")),
    response_content_encoding: text(fieldValue(answer, "content-encoding")),
    response_server: text(fieldValue(answer, "server")),
    response_cache: text(fieldValue(answer, "x-cache")),
    user_id: holder?.id,
    user_email: holder?.email,
    api_backend_id: route?.backend.id ?? undefined,
    api_backend_name: route?.backend.name,
    api_backend_resolved_host: outcome.server,
    api_backend_response_code_details: outcome.detail ?? refusal?.rule ?? undefined,
    gatekeeper_denied_code: refusal?.code.toLowerCase(),
  };
}

function text(value: string | null | undefined): string | undefined {
  return value ? masked(value) : undefined;
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}
