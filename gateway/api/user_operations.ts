/** API users: the holders of API keys. */
import { API_BASE } from "./base.ts";
import type { Operation } from "./operation.ts";
import { pageAnswer, pageParameters, pageRequest } from "./paging.ts";
import { createdAnswer, recordAnswer } from "./record_answer.ts";

const tag = "API users";

export const userOperations: readonly Operation[] = [
  {
    name: "listUsers",
    method: "GET",
    path: "/v1/users",
    tag,
    summary: "List API users.",
    auth: "admin",
    query: [...pageParameters, {
      name: "search",
      description: "Only users in whose details this text is found.",
      schema: { type: "string" },
    }],
    answer: { status: 200, description: "A page of API users", schema: "UserList" },
    handle: async ({ portico, query }) => {
      const search = query.get("search");
      const request = { ...pageRequest(query), ...(search === null ? {} : { search }) };
      return pageAnswer("users", await portico.users.list(request));
    },
  },
  {
    name: "createUser",
    method: "POST",
    path: "/v1/users",
    tag,
    summary: "Create an API user with a new API key.",
    auth: "admin",
    body: { schema: "UserInput" },
    answer: { status: 201, description: "The user, with the key this once", schema: "NewUser" },
    handle: async ({ portico, admin, input }) => {
      const { user, api_key } = await portico.users.create(input, admin.username);
      const record = { ...user, api_key };
      return createdAnswer(record, `${API_BASE}/v1/users`);
    },
  },
  {
    name: "getUser",
    method: "GET",
    path: "/v1/users/{id}",
    tag,
    summary: "Read an API user.",
    auth: "admin",
    answer: { status: 200, description: "The API user", schema: "User" },
    handle: async ({ portico, id }) => recordAnswer(await portico.users.get(id)),
  },
  {
    name: "changeUser",
    method: "PUT",
    path: "/v1/users/{id}",
    tag,
    summary: "Change an API user, within a second for calls. Fields left out keep their value.",
    auth: "admin",
    conditional: true,
    body: { schema: "UserInput", partial: true },
    answer: { status: 200, description: "The API user", schema: "User" },
    handle: async ({ portico, admin, id, input, ifVersion }) =>
      recordAnswer(await portico.users.change(id, input, admin.username, ifVersion)),
  },
  {
    name: "deleteUser",
    method: "DELETE",
    path: "/v1/users/{id}",
    tag,
    summary: "Delete an API user. The key stops working within a second.",
    auth: "admin",
    conditional: true,
    answer: { status: 204, description: "Deleted" },
    handle: async ({ portico, id, ifVersion }) => {
      await portico.users.remove(id, ifVersion);
      return {};
    },
  },
];
