/**
 * Portico's own pages are made in the main isolate, and asked for from the one that
 * the request came in at: the two ends of that, with bodies as streams both ways.
 */
import type { Portico } from "../portico.ts";
import type { OwnPageRequest } from "../serve/own_pages.ts";
import type { WebHandler } from "../serve/web_app.ts";
import { HandingOver, type Line } from "./line.ts";
import type { MainQuestions, PageAnswer, ServingQuestions } from "./questions.ts";

/** Asks the main isolate for a page. Rejects when it does not answer. */
export async function askForPage(
  line: Line<ServingQuestions, MainQuestions>,
  request: OwnPageRequest,
): Promise<Response> {
  const { status, headers, body } = await line.ask(
    "page",
    new HandingOver(request, streams(request)),
  );
  const response = new Response(body, { status, headers });
  response.headers.set("x-request-id", request.client.requestId);
  return response;
}

/** Answers such a request. */
export async function answerPage(
  web: WebHandler,
  portico: Portico,
  { method, url, headers, body, peer, client }: OwnPageRequest,
): Promise<HandingOver<PageAnswer>> {
  const request = new Request(url, { method, headers, body });
  const response = await web(request, {
    remoteAddr: peer,
    completed: Promise.resolve(),
    portico,
    client,
  });
  if (!request.bodyUsed) request.body?.cancel().catch(() => {}); // its client may have left
  const answer = { status: response.status, headers: [...response.headers], body: response.body };
  return new HandingOver(answer, streams(answer));
}

function streams({ body }: { readonly body: ReadableStream<Uint8Array> | null }): Transferable[] {
  return body === null ? [] : [body];
}
