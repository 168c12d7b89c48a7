/**
 * What an operation of the admin REST API is: one entry of the table
 * (`operations.ts`) that routes the calls and that the OpenAPI description is
 * generated from, so that the two cannot differ.
 */
import type { ClientFacts } from "../exchange/client.ts";
import type { FaultKind } from "../faults.ts";
import type { Portico } from "../portico.ts";
import type { Admin } from "../records/admin.ts";
import type { AnswerSchemaName, InputSchemaName } from "./schemas.ts";

/** The parts of Portico that the API gives access to. */
export type ApiParts = Pick<
  Portico,
  | "config"
  | "accounts"
  | "sessions"
  | "tokens"
  | "backends"
  | "websites"
  | "users"
  | "publishing"
  | "callLog"
  | "cache"
  | "serverHealth"
  | "explainer"
  | "log"
>;

export type ApiMethod = "GET" | "POST" | "PUT" | "DELETE";

/** One call of an operation, read from the request. */
export interface Call {
  readonly portico: ApiParts;
  readonly client: ClientFacts;
  readonly headers: Headers;
  /** The path's parameter, decoded; empty where the path has none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** The JSON object of the body; empty where none was sent. Not yet validated. */
  readonly input: Readonly<Record<string, unknown>>;
  /** The version that `If-Match` asks for. */
  readonly ifVersion: number | undefined;
}

/** A call by somebody who is signed in. */
export interface AdminCall extends Call {
  readonly admin: Admin;
}

/** The answer of an operation that succeeded; its status is the table's. */
export interface Answer {
  /** JSON, unless it is a stream. Left out with status 204. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface QueryParameter {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
}

interface OperationFacts {
  /** What a generated client calls it. */
  readonly name: string;
  readonly method: ApiMethod;
  /**
   * Below `/admin/api`. At most one parameter, of a collection: `/v1/users/{id}`,
   * `/v1/backends/{id}/health`.
   */
  readonly path: string;
  /** Groups operations in the description. */
  readonly tag: string;
  readonly summary: string;
  readonly query?: readonly QueryParameter[];
  readonly body?: {
    readonly schema: InputSchemaName;
    /** The call makes sense without a body. */
    readonly optional?: true;
    /** Fields left out keep their value. */
    readonly partial?: true;
  };
  /** Obeys `If-Match`. */
  readonly conditional?: true;
  readonly answer: {
    readonly status: 200 | 201 | 204;
    readonly description: string;
    readonly schema?: AnswerSchemaName;
    /** JSON unless named. */
    readonly mediaType?: string;
  };
  /** What can go wrong beyond what its shape says (auth, body, parameter, If-Match). */
  readonly faults?: readonly FaultKind[];
}

export type Operation =
  & OperationFacts
  & (
    | { readonly auth: "none"; handle(call: Call): Promise<Answer> }
    | { readonly auth: "admin"; handle(call: AdminCall): Promise<Answer> }
  );
