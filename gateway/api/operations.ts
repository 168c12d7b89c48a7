/**
 * Every operation of the admin REST API. This table routes the calls, and the
 * OpenAPI description is generated from it.
 */
import { accountOperations } from "./account_operations.ts";
import { backendOperations } from "./backend_operations.ts";
import { cacheOperations } from "./cache_operations.ts";
import { explainOperations } from "./explain_operations.ts";
import { logOperations } from "./log_operations.ts";
import type { Operation } from "./operation.ts";
import { publishOperations } from "./publish_operations.ts";
import { tokenOperations } from "./token_operations.ts";
import { userOperations } from "./user_operations.ts";
import { websiteOperations } from "./website_operations.ts";

export const operations: readonly Operation[] = [
  ...accountOperations,
  ...tokenOperations,
  ...backendOperations,
  ...websiteOperations,
  ...publishOperations,
  ...userOperations,
  ...cacheOperations,
  ...logOperations,
  ...explainOperations,
  {
    name: "describeApi",
    method: "GET",
    path: "/openapi.json",
    tag: "Description",
    summary: "This description.",
    auth: "none",
    answer: { status: 200, description: "An OpenAPI 3.1 document" },
    handle: async ({ portico, client }) => {
      const { describeApi } = await import("./openapi.ts");
      return { body: describeApi(operations, portico.config, client) };
    },
  },
];
