/** Turns what an operation gave, or the fault it threw, into a response. */
import { Fault } from "../faults.ts";
import type { ClientFacts } from "../exchange/client.ts";
import type { Answer, ApiParts, Operation } from "./operation.ts";

/** On every answer: nothing of it is kept by a cache or taken for another type. */
const ALWAYS = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** The answer of an operation that succeeded. */
export function respond(operation: Operation, answer: Answer, method: string): Response {
  const { status, mediaType } = operation.answer;
  const headers = new Headers({ ...ALWAYS, ...answer.headers });
  if (status === 204) return new Response(null, { status, headers });
  headers.set("content-type", mediaType ?? "application/json");
  const body = answer.body instanceof ReadableStream ? answer.body : JSON.stringify(answer.body);
  if (method !== "HEAD") return new Response(body, { status, headers });
  if (body instanceof ReadableStream) body.cancel();
  return new Response(null, { status, headers });
}

/** The answer to `OPTIONS`. Without CORS headers: other sites' pages have no business here. */
export function respondOptions(allow: string): Response {
  return new Response(null, { status: 204, headers: { ...ALWAYS, allow } });
}

/** `{"errors":[…]}` for a `Fault`; anything else is a 500 whose cause only the log tells. */
export function respondError(
  error: unknown,
  request: Request,
  client: ClientFacts,
  log: ApiParts["log"],
): Response {
  const fault = error instanceof Fault ? error : unexpected(error, client);
  if (fault.internal !== undefined) {
    log.error("An admin API call failed", {
      request_id: client.requestId,
      method: request.method,
      path: URL.parse(request.url)?.pathname,
      status: fault.status,
      error: fault.internal,
    });
  }
  const headers = new Headers({ ...ALWAYS, "content-type": "application/json" });
  if (fault.kind === "NOT_SIGNED_IN") headers.set("www-authenticate", "Bearer");
  if (fault.retryAfter !== undefined) headers.set("retry-after", String(fault.retryAfter));
  const body = request.method === "HEAD" ? null : JSON.stringify({ errors: fault.errors });
  return new Response(body, { status: fault.status, headers });
}

/** The answer to a method that a path does not take. */
export function respondMethodNotAllowed(
  request: Request,
  allow: string,
  client: ClientFacts,
  log: ApiParts["log"],
): Response {
  const fault = new Fault("METHOD_NOT_ALLOWED", `This path takes ${allow}.`);
  const response = respondError(fault, request, client, log);
  response.headers.set("allow", allow);
  return response;
}

function unexpected(error: unknown, client: ClientFacts): Fault {
  return new Fault(
    "INTERNAL_SERVER_ERROR",
    `Something went wrong on the server. Its log says more, under the request id ${client.requestId}.`,
    { internal: error ?? "nothing was thrown" },
  );
}
