/**
 * Turns a refusal into an answer: the one place that writes JSON, XML, CSV and
 * HTML for callers who were not let through.
 */
import { Buffer } from "node:buffer";
import { chooseFormat, type RefusalFormat } from "./format.ts";
import { escapeMarkup } from "./markup.ts";
import { refusalPage } from "./page.ts";
import { type Refusal, type RefusalBody, type RefusalContext, refusalMessage } from "./refusals.ts";

/** An answer of the gateway's own. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Of the body. */
  readonly bytes: number;
}

export function renderRefusal(refused: Refusal, context: RefusalContext): OwnAnswer {
  const { format, contentType } = chooseFormat(context.path, context.query, context.accept);
  const body = bodies[format]({
    code: refused.code,
    status: refused.status,
    message: refusalMessage(refused, context.links),
    context,
  });
  const bytes = Buffer.byteLength(body);
  return {
    status: refused.status,
    headers: [
      ["content-type", `${contentType}; charset=utf-8`],
      ["access-control-allow-origin", "*"],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
      ["x-request-id", context.requestId],
      ...(format === "html" ? [PAGE_POLICY] : []),
      ...refused.headers,
    ],
    body,
    bytes,
  };
}

/** The page needs its stylesheet and nothing else. */
const PAGE_POLICY: readonly [string, string] = [
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
