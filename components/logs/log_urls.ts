/**
 * The addresses of Filter Logs. A search is all in its URL, so every step from one
 * to the next is a link; each is made here from the parameters one stands on.
 */
import type { LogEntry } from "@/gateway/logs/call_log.ts";

export const LOGS_PATH = "/admin/logs";

/** What the page's form sends to have a filter added. */
export const addParameters = ["add_field", "add_operator", "add_value"] as const;

function urlOf(params: URLSearchParams, path = LOGS_PATH): string {
  return params.size === 0 ? path : `${path}?${params}`;
}

/** The same search, on its first page and with no call open. */
export function firstPage(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ["cursor", "entry", ...addParameters]) next.delete(name);
  return next;
}

/** The same search in the stretch of time that a preset (`7d`) stands for. */
export function presetUrl(params: URLSearchParams, preset: string): string {
  const next = firstPage(params);
  next.delete("start_at");
  next.delete("end_at");
  next.set("range", preset);
  return urlOf(next);
}

/** The same search between two moments, in milliseconds since the epoch. */
export function zoomedUrl(params: URLSearchParams, start: number, end: number): string {
  const next = firstPage(params);
  next.delete("range");
  next.set("start_at", new Date(start).toISOString());
  next.set("end_at", new Date(end).toISOString());
  return urlOf(next);
}

/** The search with one filter more; `text` is in the syntax of `GET /logs`. */
export function withFilterUrl(params: URLSearchParams, field: string, text: string): string {
  const next = firstPage(params);
  if (!next.getAll(field).includes(text)) next.append(field, text);
  return urlOf(next);
}

/** The search with this as its only filter on the field. */
export function onlyFilterUrl(params: URLSearchParams, field: string, text: string): string {
  const next = firstPage(params);
  next.set(field, text);
  return urlOf(next);
}

/** The search without one of its filters. */
export function withoutFilterUrl(params: URLSearchParams, field: string, text: string): string {
  const next = firstPage(params);
  next.delete(field, text);
  return urlOf(next);
}

/** The search without filters, in the same stretch of time. */
export function withoutFiltersUrl(params: URLSearchParams): string {
  const next = firstPage(params);
  const kept = ["range", "start_at", "end_at"];
  return urlOf(new URLSearchParams([...next].filter(([name]) => kept.includes(name))));
}

/** The id, in the page, of the line of a call. */
export function lineId(requestId: string): string {
  return `call-${requestId}`;
}

/** The same page of the search with a call open beside the list, which stays where it was. */
export function openUrl(params: URLSearchParams, requestId: string): string {
  const next = new URLSearchParams(params);
  next.set("entry", requestId);
  return `${urlOf(next)}#${encodeURIComponent(lineId(requestId))}`;
}

/** The same page of the search with no call open, at the line of the one that was. */
export function closedUrl(params: URLSearchParams): string {
  const next = new URLSearchParams(params);
  const requestId = next.get("entry") ?? "";
  next.delete("entry");
  return `${urlOf(next)}#${encodeURIComponent(lineId(requestId))}`;
}

/** The whole result of the search as CSV. */
export function csvUrl(params: URLSearchParams): string {
  return urlOf(firstPage(params), `${LOGS_PATH}/csv`);
}

/** Where a call of the log is explained; its key is not known here, so its user stands in. */
export function explainUrl(
  { request_method, request_url, request_ip, user_id }: Pick<
    LogEntry,
    "request_method" | "request_url" | "request_ip" | "user_id"
  >,
): string {
  const params = new URLSearchParams({ method: request_method, url: request_url });
  if (user_id !== undefined) params.set("user", user_id);
  if (request_ip !== undefined) params.set("address", request_ip);
  return `/admin/explain?${params}`;
}
