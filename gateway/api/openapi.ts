/**
 * The OpenAPI 3.1 description of the API, made from the table of operations and
 * the schemas that validate. Loaded only when somebody asks for it.
 */
import { sessionCookieName } from "../admins/session_cookie.ts";
import type { Configuration } from "../config/configuration.ts";
import type { ClientFacts } from "../exchange/client.ts";
import { type FaultKind, faultStatus } from "../faults.ts";
import { API_BASE } from "./base.ts";
import { jsonSchemas, partialName } from "./json_schemas.ts";
import type { Operation } from "./operation.ts";

type Json = Readonly<Record<string, unknown>>;

/** The description for a client, with this server's address as that client names it. */
export function describeApi(
  operations: readonly Operation[],
  config: Configuration,
  client: ClientFacts,
): Json {
  const partial = new Set(
    operations.flatMap(({ body }) => body?.partial === true ? [body.schema] : []),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: `${config.site_name} admin API`,
      version: "1",
      description:
        "Manages API and website backends, their publication, API users and the record of calls.",
    },
    servers: [{ url: client.baseUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: paths(operations),
    components: {
      schemas: jsonSchemas(config, partial),
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An admin token." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: sessionCookieName(client.scheme),
          description: "The session of the web admin, from pages of this server alone.",
        },
      },
    },
  };
}

function paths(operations: readonly Operation[]): Json {
  const byPath: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const item = byPath[`${API_BASE}${operation.path}`] ??= {};
    item[operation.method.toLowerCase()] = describe(operation);
  }
  return byPath;
}

function describe(operation: Operation): Json {
  const { name, tag, summary, auth, body } = operation;
  return {
    operationId: name,
    tags: [tag],
    summary,
    security: auth === "admin" ? [{ token: [] }, { session: [] }] : [],
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: body.optional !== true,
        content: json(body.partial ? partialName(body.schema) : body.schema),
      },
    }),
    responses: { ...success(operation), ...failures(operation) },
  };
}

function parameters(operation: Operation): readonly Json[] {
  const name = pathParameter(operation);
  const path = name === undefined
    ? []
    : [{ name, in: "path", required: true, schema: { type: "string" } }];
  const query = (operation.query ?? []).map((parameter) => ({ ...parameter, in: "query" }));
  const condition = operation.conditional === true
    ? [{
      name: "If-Match",
      in: "header",
      description: "The record's ETag: only that version is changed.",
      schema: { type: "string" },
    }]
    : [];
  return [...path, ...query, ...condition];
}

function pathParameter({ path }: Operation): string | undefined {
  return /\{(\w+)\}/.exec(path)?.[1];
}

function success({ answer }: Operation): Json {
  const { status, description, schema, mediaType } = answer;
  if (mediaType !== undefined) {
    return { [status]: { description, content: { [mediaType]: { schema: { type: "string" } } } } };
  }
  return { [status]: { description, ...(schema && { content: json(schema) }) } };
}

/** One response for each status, with everything that may lie behind it. */
function failures(operation: Operation): Json {
  const statuses = faultKinds(operation).map((kind) => faultStatus[kind]).sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [status, {
      description: descriptions[status],
      content: json("Error"),
    }]),
  );
}

/** What an operation can be refused with: by its shape, and what it names itself. */
function faultKinds(operation: Operation): readonly FaultKind[] {
  const { auth, body, query, conditional, faults = [] } = operation;
  return [
    ...(auth === "admin" ? ["NOT_SIGNED_IN", "FORBIDDEN"] as const : []),
    ...(body ? ["BAD_REQUEST", "TOO_LARGE", "INVALID_INPUT"] as const : []),
    ...(query ? ["INVALID_INPUT"] as const : []),
    ...(pathParameter(operation) === undefined ? [] : ["NOT_FOUND"] as const),
    ...(conditional ? ["BAD_REQUEST", "STALE"] as const : []),
    ...faults,
  ];
}

const descriptions: Record<(typeof faultStatus)[FaultKind], string> = {
  400: "The request cannot be understood",
  401: "Not signed in",
  403: "Not allowed",
  404: "There is no such record",
  405: "The path does not take this method",
  409: "In conflict with what is there",
  412: "The record was changed in the meantime",
  413: "The body is over 1 MiB",
  422: "Bad input: every bad field, by its path",
  429: "Too many attempts; Retry-After says when to come back",
  500: "Something went wrong on the server",
  503: "Cannot be done now; Retry-After says when to come back",
};

function json(schema: string): Json {
  return { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
}
