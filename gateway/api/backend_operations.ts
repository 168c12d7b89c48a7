/** API backends, as drafts: nothing here changes a call until it is published. */
import { API_BASE } from "./base.ts";
import type { Operation } from "./operation.ts";
import { pageAnswer, pageParameters, pageRequest } from "./paging.ts";
import { createdAnswer, recordAnswer } from "./record_answer.ts";

const tag = "API backends";

export const backendOperations: readonly Operation[] = [
  {
    name: "listBackends",
    method: "GET",
    path: "/v1/backends",
    tag,
    summary: "List API backends.",
    auth: "admin",
    query: pageParameters,
    answer: { status: 200, description: "A page of API backends", schema: "BackendList" },
    handle: async ({ portico, query }) =>
      pageAnswer("backends", await portico.backends.list(pageRequest(query))),
  },
  {
    name: "createBackend",
    method: "POST",
    path: "/v1/backends",
    tag,
    summary: "Create an API backend. It takes calls once it is published.",
    auth: "admin",
    body: { schema: "BackendInput" },
    answer: { status: 201, description: "The API backend", schema: "Backend" },
    handle: async ({ portico, admin, input }) =>
      createdAnswer(
        await portico.backends.create(input, admin.username),
        `${API_BASE}/v1/backends`,
      ),
  },
  {
    name: "getBackend",
    method: "GET",
    path: "/v1/backends/{id}",
    tag,
    summary: "Read an API backend.",
    auth: "admin",
    answer: { status: 200, description: "The API backend", schema: "Backend" },
    handle: async ({ portico, id }) => recordAnswer(await portico.backends.get(id)),
  },
  {
    name: "getBackendHealth",
    method: "GET",
    path: "/v1/backends/{id}/health",
    tag,
    summary:
      "Read how the servers of an API backend fare: those it is live with, none if it is not.",
    auth: "admin",
    answer: { status: 200, description: "Its servers", schema: "BackendHealth" },
    handle: async ({ portico, id }) => {
      const backend = await portico.backends.get(id);
      return { body: { servers: await portico.serverHealth.ofOne(backend.id) } };
    },
  },
  {
    name: "changeBackend",
    method: "PUT",
    path: "/v1/backends/{id}",
    tag,
    summary: "Change an API backend. Fields left out keep their value.",
    auth: "admin",
    conditional: true,
    body: { schema: "BackendInput", partial: true },
    answer: { status: 200, description: "The API backend", schema: "Backend" },
    handle: async ({ portico, admin, id, input, ifVersion }) =>
      recordAnswer(await portico.backends.change(id, input, admin.username, ifVersion)),
  },
  {
    name: "deleteBackend",
    method: "DELETE",
    path: "/v1/backends/{id}",
    tag,
    summary: "Delete an API backend. It takes calls until that is published.",
    auth: "admin",
    conditional: true,
    answer: { status: 204, description: "Deleted" },
    handle: async ({ portico, admin, id, ifVersion }) => {
      await portico.backends.remove(id, ifVersion, admin.username);
      return {};
    },
  },
];
