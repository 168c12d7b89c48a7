/**
 * The admin REST API as one function: finds the operation, checks the caller,
 * reads the input, runs it, answers. Everything below `/admin/api/` comes here.
 */
import type { ClientFacts } from "../exchange/client.ts";
import { Fault } from "../faults.ts";
import { readBody } from "./body.ts";
import { authenticate, refuseCrossOrigin } from "./caller.ts";
import { versionAskedFor } from "./entity_tag.ts";
import type { Answer, ApiParts, Call, Operation } from "./operation.ts";
import { respond, respondFault, respondOptions } from "./respond.ts";
import { allowedMethods, findRoute } from "./routes.ts";

/** A request to one path of the API. */
interface Incoming {
  readonly request: Request;
  readonly client: ClientFacts;
  readonly id: string;
  readonly query: URLSearchParams;
}

/** Answers a call of the API. Never throws: what goes wrong is an answer too. */
export async function handleApi(
  portico: ApiParts,
  request: Request,
  client: ClientFacts,
): Promise<Response> {
  let allow = "";
  try {
    const url = URL.parse(request.url);
    const route = url === null ? null : findRoute(url.pathname);
    if (url === null || route === null) {
      throw new Fault("NOT_FOUND", "This path is not part of the API.");
    }
    allow = allowedMethods(route);
    if (request.method === "OPTIONS") return respondOptions(allow);
    // HEAD is GET without the body (RFC 9110 §9.3.2).
    const method = request.method === "HEAD" ? "GET" : request.method;
    const operation = route.operations.get(method);
    if (operation === undefined) {
      throw new Fault("METHOD_NOT_ALLOWED", `This path takes ${allow}.`);
    }
    const incoming = { request, client, id: route.id, query: url.searchParams };
    const answer = await run(operation, portico, incoming);
    return await respond(operation, answer, request.method);
  } catch (error) {
    const fault = error instanceof Fault ? error : unexpected(error, client);
    if (fault.internal !== undefined) report(fault, request, client, portico);
    return respondFault(fault, request.method, allow);
  }
}

/** The caller is checked before anything of the body is read. */
async function run(
  operation: Operation,
  portico: ApiParts,
  incoming: Incoming,
): Promise<Answer> {
  const { request, client } = incoming;
  if (operation.auth === "admin") {
    const admin = await authenticate(portico, request, client);
    return await operation.handle({ ...await read(operation, portico, incoming), admin });
  }
  if (operation.method !== "GET") refuseCrossOrigin(request, client);
  return await operation.handle(await read(operation, portico, incoming));
}

async function read(
  { body, conditional }: Operation,
  portico: ApiParts,
  { request, client, id, query }: Incoming,
): Promise<Call> {
  return {
    portico,
    client,
    headers: request.headers,
    id,
    query,
    ifVersion: conditional === true ? versionAskedFor(request.headers) : undefined,
    input: body === undefined ? {} : await readBody(request, body.optional === true),
  };
}

/** What the caller is told is only where to look; the cause is for the log alone. */
function unexpected(error: unknown, client: ClientFacts): Fault {
  return new Fault(
    "INTERNAL_SERVER_ERROR",
    `Something went wrong on the server. Its log says more, under the request id ${client.requestId}.`,
    { internal: error ?? "nothing was thrown" },
  );
}

/** The path without its query, which may hold what nobody should read in a log. */
function report(fault: Fault, request: Request, client: ClientFacts, { log }: ApiParts): void {
  log.error("an admin API call failed", {
    request_id: client.requestId,
    method: request.method,
    path: URL.parse(request.url)?.pathname,
    status: fault.status,
    error: fault.internal,
  });
}
