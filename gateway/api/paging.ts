/** Lists: what their query asks for, and how a page of one is answered. */
import type { Page, PageRequest } from "../store/page.ts";
import type { Answer, QueryParameter } from "./operation.ts";

export const pageParameters: readonly QueryParameter[] = [
  {
    name: "limit",
    description: "Most records on a page.",
    schema: { type: "integer", minimum: 1, maximum: 1000, default: 100 },
  },
  {
    name: "cursor",
    description: "The `next_cursor` of the page before.",
    schema: { type: "string" },
  },
];

/** What is no number becomes NaN, which is refused where the limit is checked. */
export function pageRequest(query: URLSearchParams): PageRequest {
  const limit = query.get("limit") || null; // forms send what is empty
  return {
    limit: limit === null ? undefined : /^\d+$/.test(limit) ? Number(limit) : NaN,
    cursor: query.get("cursor") || undefined,
  };
}

/** `{"<name>":[…],"next_cursor":…,"total":n}`. */
export function pageAnswer(name: string, page: Page<unknown>): Answer {
  return { body: { [name]: page.items, next_cursor: page.next_cursor, total: page.total } };
}
