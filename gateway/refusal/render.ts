/**
 * Turns a refusal into a response: the one place that writes JSON, XML, CSV and
 * HTML for callers who were not let through.
 */
import { Buffer } from "node:buffer";
import { chooseFormat, type RefusalFormat } from "./format.ts";
import { escapeMarkup } from "./markup.ts";
import { refusalPage } from "./page.ts";
import { type Refusal, type RefusalBody, type RefusalContext, refusalMessage } from "./refusals.ts";

export function renderRefusal(refused: Refusal, context: RefusalContext): Response {
  const { format, contentType } = chooseFormat(context.path, context.query, context.accept);
  const body = bodies[format]({
    code: refused.code,
    status: refused.status,
    message: refusalMessage(refused, context.links),
    context,
  });
  return new Response(body, {
    status: refused.status,
    headers: [
      ["content-type", `${contentType}; charset=utf-8`],
      ["content-length", String(Buffer.byteLength(body))],
      ["access-control-allow-origin", "*"],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
      ["x-request-id", context.requestId],
      ...(format === "html" ? [PAGE_POLICY] : []),
      ...refused.headers.map(([name, value]): [string, string] => [name, value]),
    ],
  });
}

/** The page needs its stylesheet and nothing else. */
const PAGE_POLICY: [string, string] = [
  "content-security-policy",
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
];

const bodies: Record<RefusalFormat, (body: RefusalBody) => string> = {
  json: ({ code, message }) => JSON.stringify({ error: { code, message } }),
  xml: ({ code, message }) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<response>\n  <error>\n    <code>${code}</code>\n` +
    `    <message>${escapeMarkup(message)}</message>\n  </error>\n</response>\n`,
  csv: ({ code, message }) => `Error Code,Error Message\n${csvCell(code)},${csvCell(message)}\n`,
  html: refusalPage,
};

function csvCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
