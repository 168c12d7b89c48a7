/** API backends, as drafts: nothing here changes a call until it is published. */
import type { Operation } from "./operation.ts";
import { recordOperations } from "./record_operations.ts";

const tag = "API backends";

export const backendOperations: readonly Operation[] = [
  ...recordOperations({
    collection: "backends",
    names: ["Backend", "Backends"],
    tag,
    description: "The API backend",
    summaries: {
      list: "List API backends.",
      create: "Create an API backend. It takes calls once it is published.",
      get: "Read an API backend.",
      change: "Change an API backend. Fields left out keep their value.",
      remove: "Delete an API backend. It takes calls until that is published.",
    },
    schemas: { input: "BackendInput", answer: "Backend", list: "BackendList" },
    records: ({ backends }) => backends,
  }),
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
];
