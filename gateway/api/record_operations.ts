/** The five operations that records of every kind have: list, create, read, change, delete. */
import type { Page, PageRequest } from "../store/page.ts";
import { API_BASE } from "./base.ts";
import type { ApiParts, Operation, QueryParameter } from "./operation.ts";
import { pageAnswer, pageParameters, pageRequest } from "./paging.ts";
import { createdAnswer, recordAnswer, type VersionedRecord } from "./record_answer.ts";
import type { AnswerSchemaName, InputSchemaName } from "./schemas.ts";

/** Records as their collection keeps them; whatever it throws is a `Fault`. */
export interface Records {
  list(request: PageRequest, query: URLSearchParams): Promise<Page<unknown>>;
  get(id: string): Promise<VersionedRecord>;
  /** Gives the record as it is answered this once. */
  create(input: unknown, by: string): Promise<VersionedRecord>;
  change(id: string, input: unknown, by: string, ifVersion?: number): Promise<VersionedRecord>;
  remove(id: string, ifVersion?: number, by?: string): Promise<void>;
}

export interface RecordKind {
  /** In paths, and what a list has its records under: `website_backends`. */
  readonly collection: string;
  /** In the names of operations: `WebsiteBackend`, `WebsiteBackends`. */
  readonly names: readonly [one: string, several: string];
  readonly tag: string;
  /** What each operation does, in a sentence. */
  readonly summaries: Readonly<Record<"list" | "create" | "get" | "change" | "remove", string>>;
  /** What one is called in a description of an answer: "The API backend". */
  readonly description: string;
  readonly schemas: {
    readonly input: InputSchemaName;
    readonly answer: AnswerSchemaName;
    readonly list: AnswerSchemaName;
    /** What is answered to creating one, where that is not the record as it is read. */
    readonly created?: { readonly description: string; readonly schema: AnswerSchemaName };
  };
  /** What a list takes besides `limit` and `cursor`. */
  readonly query?: readonly QueryParameter[];
  readonly records: (portico: ApiParts) => Records;
}

export function recordOperations(kind: RecordKind): readonly Operation[] {
  const { collection, names: [one, several], tag, summaries, description, schemas, records } = kind;
  const list = `/v1/${collection}`;
  const record = `${list}/{id}`;
  return [
    {
      name: `list${several}`,
      method: "GET",
      path: list,
      tag,
      summary: summaries.list,
      auth: "admin",
      query: [...pageParameters, ...kind.query ?? []],
      answer: { status: 200, description: `A page of ${tag}`, schema: schemas.list },
      handle: async ({ portico, query }) =>
        pageAnswer(collection, await records(portico).list(pageRequest(query), query)),
    },
    {
      name: `create${one}`,
      method: "POST",
      path: list,
      tag,
      summary: summaries.create,
      auth: "admin",
      body: { schema: schemas.input },
      answer: { status: 201, description, schema: schemas.answer, ...schemas.created },
      handle: async ({ portico, admin, input }) =>
        createdAnswer(await records(portico).create(input, admin.username), API_BASE + list),
    },
    {
      name: `get${one}`,
      method: "GET",
      path: record,
      tag,
      summary: summaries.get,
      auth: "admin",
      answer: { status: 200, description, schema: schemas.answer },
      handle: async ({ portico, id }) => recordAnswer(await records(portico).get(id)),
    },
    {
      name: `change${one}`,
      method: "PUT",
      path: record,
      tag,
      summary: summaries.change,
      auth: "admin",
      conditional: true,
      body: { schema: schemas.input, partial: true },
      answer: { status: 200, description, schema: schemas.answer },
      handle: async ({ portico, admin, id, input, ifVersion }) =>
        recordAnswer(await records(portico).change(id, input, admin.username, ifVersion)),
    },
    {
      name: `delete${one}`,
      method: "DELETE",
      path: record,
      tag,
      summary: summaries.remove,
      auth: "admin",
      conditional: true,
      answer: { status: 204, description: "Deleted" },
      handle: async ({ portico, admin, id, ifVersion }) => {
        await records(portico).remove(id, ifVersion, admin.username);
        return {};
      },
    },
  ];
}
