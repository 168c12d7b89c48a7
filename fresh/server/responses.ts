// Answers made from other answers, and the one for an error that no page answered.
import { STATUS_CODES } from "node:http";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { HttpError } from "../runtime/http_error.ts";
import type { Snapshot } from "./snapshot.ts";
import type { ResolvedFreshConfig } from "./types.ts";

/** `response` with a header set; the headers of one from elsewhere may be immutable. */
export function withHeader(response: Response, name: string, value: string): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.set(name, value);
  return new Response(response.body, { status, statusText, headers });
}

/** The answer to HEAD instead of GET. */
export async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

/** The status an error stands for. */
export function statusOf(error: unknown): number {
  return error instanceof HttpError ? error.status : 500;
}

/** What an error becomes that no error page answered. Its stack is shown in development alone. */
export function defaultErrorResponse(
  error: unknown,
  { mode, basePath }: ResolvedFreshConfig,
  snapshot: Snapshot | null,
): Response {
  const status = statusOf(error);
  if (error instanceof HttpError) {
    return new Response(error.message || STATUS_CODES[status] || String(status), { status });
  }
  console.error(error);
  if (mode === "production") return new Response("Internal server error", { status });
  const stack = error instanceof Error ? error.stack : String(error);
  const page = renderToString(h("pre", null, stack));
  // The page reloads once the mistake is corrected.
  const script = snapshot?.reloadScript
    ? `<script type="module" src="${basePath}${snapshot.reloadScript}"></script>`
    : "";
  return new Response(`<!DOCTYPE html><title>Error</title>${page}${script}`, {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
  });
}
