/** What the fields of the log are called, in groups as people look for them. */
import type { LogField } from "@/gateway/records/log_row.ts";

export const fieldNames: Readonly<Record<LogField, string>> = {
  request_at: "Time",
  request_id: "Request id",
  request_method: "Method",
  request_scheme: "Scheme",
  request_host: "Host",
  request_port: "Port",
  request_path: "Path",
  request_url_query: "Query",
  request_ip: "IP address",
  request_user_agent: "User agent",
  request_accept: "Accept",
  request_accept_encoding: "Accept-Encoding",
  request_content_type: "Request content type",
  request_origin: "Origin",
  request_referer: "Referer",
  request_size: "Request size",
  response_status: "Status",
  response_time: "Response time",
  response_size: "Response size",
  response_content_type: "Response content type",
  response_content_encoding: "Content encoding",
  response_server: "Server header",
  response_cache: "Cache",
  user_id: "User id",
  user_email: "User email",
  api_backend_id: "API backend id",
  api_backend_name: "API backend",
  api_backend_resolved_host: "Upstream server",
  api_backend_response_code_details: "Details of the outcome",
  gatekeeper_denied_code: "Reason of refusal",
};

/** Units of the fields that hold numbers. */
export const fieldUnits: Readonly<Partial<Record<LogField, string>>> = {
  request_size: "bytes",
  response_size: "bytes",
  response_time: "ms",
};

interface FieldGroup {
  readonly title: string;
  readonly fields: readonly LogField[];
}

/** Every field once. */
export const fieldGroups: readonly FieldGroup[] = [
  {
    title: "Answer",
    fields: [
      "response_status",
      "gatekeeper_denied_code",
      "response_time",
      "response_size",
      "response_content_type",
      "response_content_encoding",
      "response_server",
      "response_cache",
    ],
  },
  { title: "Caller", fields: ["user_email", "user_id", "request_ip", "request_user_agent"] },
  {
    title: "Request",
    fields: [
      "request_at",
      "request_method",
      "request_scheme",
      "request_host",
      "request_port",
      "request_path",
      "request_url_query",
      "request_id",
      "request_size",
      "request_accept",
      "request_accept_encoding",
      "request_content_type",
      "request_origin",
      "request_referer",
    ],
  },
  {
    title: "API backend",
    fields: [
      "api_backend_name",
      "api_backend_id",
      "api_backend_resolved_host",
      "api_backend_response_code_details",
    ],
  },
];
