/**
 * Turns a refusal into an answer: the one place that writes JSON, XML, CSV and
 * HTML for callers who were not let through.
 */
import { Buffer } from "node:buffer";
import type { HeaderFields } from "../exchange/header_fields.ts";
import { encoded } from "./encode.ts";
import { type ErrorAnswers, filled } from "./error_answers.ts";
import { chooseFormat, type RefusalFormat } from "./format.ts";
import { type RefusalBody, refusalPage } from "./page.ts";
import type { Refusal, RefusalContext } from "./refusals.ts";
import { Variables } from "./variables.ts";

/** An answer of the gateway's own. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string;
  /** Of the body. */
  readonly bytes: number;
}

/** @param answers those of the settings that hold for the call */
export function renderRefusal(
  refused: Refusal,
  context: RefusalContext,
  answers: ErrorAnswers,
): OwnAnswer {
  const { format, contentType } = chooseFormat(context.path, context.query, context.accept);
  const { status, variables: own, templates } = answers.of(refused.code);
  const { requestId: request_id, links } = context;
  const variables = new Variables(own, { ...links, request_id, reason: refused.reason });
  const template = templates.get(format);
  const custom = template === undefined ? null : filled(template, format, variables);
  const body = custom ?? bodies[format]({ refused, status, variables, context });
  return {
    status,
    headers: [
      ["content-type", `${contentType}; charset=utf-8`],
      ["access-control-allow-origin", "*"],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
      ["x-request-id", request_id],
      ...(format === "html" ? [custom === null ? PAGE_POLICY : CUSTOM_PAGE_POLICY] : []),
      ...refused.headers,
    ],
    body,
    bytes: Buffer.byteLength(body),
  };
}

const POLICY = "content-security-policy";
const NOTHING_ACTIVE =
  "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** The page needs its stylesheet and nothing else. */
const PAGE_POLICY = [POLICY, `${NOTHING_ACTIVE}; style-src 'self'; img-src 'self'`] as const;

/** A page of an admin's may look as it wants to, but it answers what anybody sends: no scripts. */
const CUSTOM_PAGE_POLICY = [
  POLICY,
  `${NOTHING_ACTIVE}; style-src 'self' https: 'unsafe-inline'; img-src 'self' https: data:; ` +
  "font-src 'self' https: data:",
] as const;

const bodies: Record<RefusalFormat, (body: RefusalBody) => string> = {
  json: ({ variables }) => {
    const [code, message] = codeAndMessage(variables, "json");
    return `{"error":{"code":${code},"message":${message}}}`;
  },
  xml: ({ variables }) => {
    const [code, message] = codeAndMessage(variables, "xml");
    return `<?xml version="1.0" encoding="UTF-8"?>\n<response>\n  <error>\n    <code>${code}</code>\n` +
      `    <message>${message}</message>\n  </error>\n</response>\n`;
  },
  csv: ({ variables }) =>
    `Error Code,Error Message\n${codeAndMessage(variables, "csv").join(",")}\n`,
  html: refusalPage,
};

function codeAndMessage(variables: Variables, format: RefusalFormat): readonly [string, string] {
  return [
    encoded(variables.text("code"), format),
    encoded(variables.text("message"), format),
  ];
}
