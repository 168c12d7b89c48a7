/**
 * Pages of other sites (CORS, Fetch §3.3): what browsers are told that ask before a call
 * (a preflight), and what stands in answers about who may read them. Origins that are not
 * allowed are told so; what else a page may do is listed, and the browser sees to it.
 */
import type { CompiledCors } from "../compile/cors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HeaderField, HeaderFields } from "../exchange/header_fields.ts";
import { HEADER_NAME } from "../records/fields.ts";
import { Refusal } from "../refusal/refusals.ts";
import { type Call, Reply } from "./call.ts";
import { settingsFor } from "./match.ts";

/**
 * Answers a preflight, which carries no key: that is what a browser leaves out of it. It
 * is about a call to come, so the settings of that call hold.
 */
export function answerPreflight({ exchange, route }: Call): Refusal | Reply | null {
  const { headers, method } = exchange;
  if (method !== "OPTIONS") return null;
  const origin = headers.get("origin");
  const asked = headers.get("access-control-request-method");
  if (origin === null || asked === null || !HEADER_NAME.test(asked)) return null;
  const { cors } = settingsFor(exchange, route, asked);
  if (cors === null) return null;
  const allowed = allowedOrigin(cors, origin);
  if (allowed === null) return new Refusal("ORIGIN_NOT_ALLOWED", origin);
  return new Reply(204, preflightFields(cors, allowed, asked, headers));
}

function preflightFields(
  cors: CompiledCors,
  origin: string,
  method: string,
  asked: Headers,
): HeaderFields {
  const fields: HeaderField[] = [
    ["access-control-allow-origin", origin],
    ["access-control-allow-methods", cors.methods ?? method],
    ["access-control-max-age", cors.maxAge],
    ["vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"],
  ];
  const headers = cors.headers ?? asked.get("access-control-request-headers");
  if (headers !== null) fields.push(["access-control-allow-headers", headers]);
  if (cors.credentials) fields.push(ALLOW_CREDENTIALS);
  return fields;
}

const ALLOW_CREDENTIALS: HeaderField = ["access-control-allow-credentials", "true"];

/** Null: pages of this origin may not call. */
function allowedOrigin({ allowsOrigin }: CompiledCors, origin: string): string | null {
  if (allowsOrigin === null) return "*";
  return allowsOrigin(origin) ? origin : null;
}

/** The fields of an answer with ours about CORS in place of any that its maker set. */
export function withCors(
  fields: HeaderFields,
  cors: CompiledCors,
  { headers }: Exchange,
): HeaderField[] {
  const others = fields.filter(([name]) => !name.startsWith("access-control-"))
    .map(([name, value]): HeaderField => [name, value]);
  if (cors.allowsOrigin === null) return [...others, ...sharedWith("*", cors)];
  const origin = headers.get("origin");
  const allowed = origin === null ? null : allowedOrigin(cors, origin);
  return [...varyingByOrigin(others), ...(allowed === null ? [] : sharedWith(allowed, cors))];
}

function sharedWith(origin: string, { exposed, credentials }: CompiledCors): HeaderField[] {
  return [
    ["access-control-allow-origin", origin],
    ["access-control-expose-headers", exposed],
    ...(credentials ? [ALLOW_CREDENTIALS] : []),
  ];
}

/** A cache must not give an answer for one origin to another (Fetch §3.3.5). */
function varyingByOrigin(fields: readonly HeaderField[]): HeaderField[] {
  const vary = fields.filter(([name]) => name === "vary").map(([, value]) => value);
  const names = vary.join(",").toLowerCase().split(",").map((name) => name.trim());
  if (names.includes("*") || names.includes("origin")) return [...fields];
  const others = fields.filter(([name]) => name !== "vary");
  return [...others, ["vary", [...vary, "Origin"].join(", ")]];
}
