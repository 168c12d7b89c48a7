/**
 * One proxied call as Analytics shows it. Names are API Umbrella's
 * (`analytics` log document); absent facts are undefined, and left out of what is stored.
 */
export interface LogRow {
  readonly request_id: string;
  /** When the call was answered, milliseconds since the epoch; ISO 8601 in answers. */
  readonly request_at: number;
  readonly request_method: string;
  readonly request_scheme: "http" | "https";
  /** Lower case, without the port. */
  readonly request_host: string;
  /** Of the host as the client named it; absent when it named none. */
  readonly request_port?: number | undefined;
  readonly request_path: string;
  /** Without the API key. */
  readonly request_url_query?: string | undefined;
  readonly request_ip: string;
  readonly request_user_agent?: string | undefined;
  readonly request_accept?: string | undefined;
  readonly request_accept_encoding?: string | undefined;
  readonly request_content_type?: string | undefined;
  readonly request_origin?: string | undefined;
  readonly request_referer?: string | undefined;
  /** Bytes of body. */
  readonly request_size: number;
  readonly response_status: number;
  /** Milliseconds from the request's head to the end of the answer. */
  readonly response_time: number;
  /** Bytes of body. */
  readonly response_size: number;
  readonly response_content_type?: string | undefined;
  readonly response_content_encoding?: string | undefined;
  readonly response_server?: string | undefined;
  /** The answer's `X-Cache`: HIT when no backend was asked, MISS when it could have been one. */
  readonly response_cache?: string | undefined;
  readonly user_id?: string | undefined;
  readonly user_email?: string | undefined;
  readonly api_backend_id?: string | undefined;
  readonly api_backend_name?: string | undefined;
  /** `host:port` of the server that was asked. */
  readonly api_backend_resolved_host?: string | undefined;
  /**
   * Why an upstream answer is ours: `upstream_unreachable`, `upstream_timeout` …; or by which
   * rule a call was refused: `over 20 calls a second by API key`.
   */
  readonly api_backend_response_code_details?: string | undefined;
  /** The refusal's code in lower case: `api_key_missing`. */
  readonly gatekeeper_denied_code?: string | undefined;
}

/** Every field a filter may name, in the order CSV and pages show them. */
export const logFields = [
  "request_at",
  "request_id",
  "request_method",
  "request_scheme",
  "request_host",
  "request_port",
  "request_path",
  "request_url_query",
  "request_ip",
  "request_user_agent",
  "request_accept",
  "request_accept_encoding",
  "request_content_type",
  "request_origin",
  "request_referer",
  "request_size",
  "response_status",
  "response_time",
  "response_size",
  "response_content_type",
  "response_content_encoding",
  "response_server",
  "response_cache",
  "user_id",
  "user_email",
  "api_backend_id",
  "api_backend_name",
  "api_backend_resolved_host",
  "api_backend_response_code_details",
  "gatekeeper_denied_code",
] as const satisfies readonly (keyof LogRow)[];

/** Facts that every row has; the others are left out where there are none. */
export const requiredLogFields = [
  "request_at",
  "request_id",
  "request_method",
  "request_scheme",
  "request_host",
  "request_path",
  "request_ip",
  "request_size",
  "response_status",
  "response_time",
  "response_size",
] as const satisfies readonly (keyof LogRow)[];

export type LogField = typeof logFields[number];

/** The fields that hold numbers; every other one is text. */
export const numericLogFields: ReadonlySet<LogField> = new Set<LogField>([
  "request_at",
  "request_port",
  "request_size",
  "response_status",
  "response_time",
  "response_size",
]);
