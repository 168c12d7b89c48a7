/** What differs from the live version, and making it live. */
import type { Operation } from "./operation.ts";

const tag = "Publishing";

export const publishOperations: readonly Operation[] = [
  {
    name: "listChanges",
    method: "GET",
    path: "/v1/publish",
    tag,
    summary: "List the changes since the live version.",
    auth: "admin",
    answer: { status: 200, description: "The changes", schema: "Changes" },
    handle: async ({ portico }) => ({ body: { changes: await portico.publishing.changes() } }),
  },
  {
    name: "publishChanges",
    method: "POST",
    path: "/v1/publish",
    tag,
    summary: "Make changes live: those named by `ids`, or all.",
    auth: "admin",
    body: { schema: "PublishInput", optional: true },
    answer: { status: 201, description: "The new live version", schema: "Published" },
    faults: ["CONFLICT"],
    handle: async ({ portico, admin, input }) => ({
      body: await portico.publishing.publish(input, admin.username),
    }),
  },
];
