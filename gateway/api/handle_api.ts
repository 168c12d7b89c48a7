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
import { respond, respondError, respondMethodNotAllowed, respondOptions } from "./respond.ts";
import { allowedMethods, findRoute } from "./routes.ts";

/** Answers a call of the API. Never throws: what goes wrong is an answer too. */
export async function handleApi(
  portico: ApiParts,
  request: Request,
  client: ClientFacts,
): Promise<Response> {
  try {
    const url = URL.parse(request.url);
    const route = url === null ? null : findRoute(url.pathname);
    if (url === null || route === null) {
      throw new Fault("NOT_FOUND", "This path is not part of the API.");
    }
    const allow = allowedMethods(route);
    if (request.method === "OPTIONS") return respondOptions(allow);
    // HEAD is GET without the body (RFC 9110 §9.3.2).
    const method = request.method === "HEAD" ? "GET" : request.method;
    const operation = route.operations.get(method);
    if (operation === undefined) {
      return respondMethodNotAllowed(request, allow, client, portico.log);
    }
    const answer = await run(operation, portico, request, client, route.id, url.searchParams);
    return respond(operation, answer, request.method);
  } catch (error) {
    return respondError(error, request, client, portico.log);
  }
}

async function run(
  operation: Operation,
  portico: ApiParts,
  request: Request,
  client: ClientFacts,
  id: string,
  query: URLSearchParams,
): Promise<Answer> {
  const read = async (): Promise<Call> => ({
    portico,
    client,
    headers: request.headers,
    id,
    query,
    ifVersion: operation.conditional === true ? versionAskedFor(request.headers) : undefined,
    input: operation.body === undefined
      ? {}
      : await readBody(request, operation.body.optional === true),
  });
  if (operation.auth === "admin") {
    const admin = await authenticate(portico, request, client);
    return await operation.handle({ ...await read(), admin });
  }
  if (operation.method !== "GET") refuseCrossOrigin(request, client);
  return await operation.handle(await read());
}
