/** The caller's own admin tokens for this API. */
import type { AdminToken } from "../records/admin.ts";
import { cursorAfter, type Page, pageLimit, type PageRequest, pageStart } from "../store/page.ts";
import type { Operation } from "./operation.ts";
import { pageAnswer, pageParameters, pageRequest } from "./paging.ts";

const tag = "Admin tokens";

export const tokenOperations: readonly Operation[] = [
  {
    name: "listTokens",
    method: "GET",
    path: "/v1/tokens",
    tag,
    summary: "List your admin tokens.",
    auth: "admin",
    query: pageParameters,
    answer: { status: 200, description: "A page of tokens", schema: "TokenList" },
    handle: async ({ portico, admin, query }) =>
      pageAnswer("tokens", pageOf(await portico.tokens.list(admin), pageRequest(query))),
  },
  {
    name: "createToken",
    method: "POST",
    path: "/v1/tokens",
    tag,
    summary: "Create an admin token.",
    auth: "admin",
    body: { schema: "TokenInput" },
    answer: { status: 201, description: "The token, this once", schema: "NewToken" },
    handle: async ({ portico, admin, input }) => ({
      body: await portico.tokens.create(admin, input),
    }),
  },
  {
    name: "revokeToken",
    method: "DELETE",
    path: "/v1/tokens/{id}",
    tag,
    summary: "Revoke one of your admin tokens.",
    auth: "admin",
    answer: { status: 204, description: "Revoked" },
    handle: async ({ portico, admin, id }) => {
      await portico.tokens.revoke(admin, id);
      return {};
    },
  },
];

/** An admin has few tokens, so they come whole, in the order of their ids. */
function pageOf(tokens: readonly AdminToken[], request: PageRequest): Page<AdminToken> {
  const limit = pageLimit(request);
  const after = pageStart(request) ?? "";
  const rest = tokens.filter((token) => token.id > after);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next_cursor: last !== undefined && rest.length > limit ? cursorAfter(last.id) : null,
    total: tokens.length,
  };
}
