/** Turns what an operation gave, or the fault it met, into a response. */
import type { Fault } from "../faults.ts";
import type { Answer, Operation } from "./operation.ts";

/** On every answer: nothing of it is kept by a cache or taken for another type. */
const ALWAYS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** The answer of an operation that succeeded. */
export async function respond(
  operation: Operation,
  answer: Answer,
  method: string,
): Promise<Response> {
  const { status, mediaType } = operation.answer;
  const headers = new Headers({ ...ALWAYS, ...answer.headers });
  if (status === 204) return new Response(null, { status, headers });
  headers.set("content-type", mediaType ?? "application/json");
  const body = answer.body instanceof ReadableStream ? answer.body : JSON.stringify(answer.body);
  if (method !== "HEAD") return new Response(body, { status, headers });
  if (body instanceof ReadableStream) await body.cancel();
  return new Response(null, { status, headers });
}

/** The answer to `OPTIONS`. Without CORS headers: other sites' pages have no business here. */
export function respondOptions(allow: string): Response {
  return new Response(null, { status: 204, headers: { ...ALWAYS, allow } });
}

/** `{"errors":[…]}`, with the headers that belong to the status. */
export function respondFault(fault: Fault, method: string, allow: string): Response {
  const headers = new Headers({ ...ALWAYS, "content-type": "application/json" });
  if (fault.kind === "NOT_SIGNED_IN") headers.set("www-authenticate", "Bearer");
  if (fault.kind === "METHOD_NOT_ALLOWED") headers.set("allow", allow);
  if (fault.retryAfter !== undefined) headers.set("retry-after", String(fault.retryAfter));
  const body = method === "HEAD" ? null : JSON.stringify({ errors: fault.errors });
  return new Response(body, { status: fault.status, headers });
}
