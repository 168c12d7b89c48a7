/** Why a call is treated as it is. */
import type { Operation } from "./operation.ts";

export const explainOperations: readonly Operation[] = [{
  name: "explainCall",
  method: "POST",
  path: "/v1/explain",
  tag: "Analytics",
  summary: "Explain a call: what every stage decides and by which rule, and the request that the " +
    "backend would get. Nothing is sent to it, counted or recorded.",
  auth: "admin",
  body: { schema: "ExplainInput" },
  answer: { status: 200, description: "The explanation", schema: "Explanation" },
  handle: async ({ portico, client, input }) => ({
    body: await portico.explainer.explain(input, client),
  }),
}];
