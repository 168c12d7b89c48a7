/** API users: the holders of API keys. */
import type { Operation } from "./operation.ts";
import { invalidField } from "../faults.ts";
import { type UserState, userStates } from "../users/users.ts";
import { recordOperations } from "./record_operations.ts";

export const userOperations: readonly Operation[] = recordOperations({
  collection: "users",
  names: ["User", "Users"],
  tag: "API users",
  description: "The API user",
  summaries: {
    list: "List API users.",
    create: "Create an API user with a new API key.",
    get: "Read an API user.",
    change: "Change an API user, within a second for calls. Fields left out keep their value.",
    remove: "Delete an API user. The key stops working within a second.",
  },
  schemas: {
    input: "UserInput",
    answer: "User",
    list: "UserList",
    created: { description: "The user, with the key this once", schema: "NewUser" },
  },
  query: [
    {
      name: "search",
      description: "Only users in whose details this text is found.",
      schema: { type: "string" },
    },
    {
      name: "state",
      description: "Only users whose key is in this state.",
      schema: { type: "string", enum: userStates },
    },
    { name: "role", description: "Only users with this role.", schema: { type: "string" } },
  ],
  records: ({ users }) => ({
    list: async (request, query) =>
      await users.list({
        ...request,
        search: query.get("search") ?? undefined,
        state: userStateNamed(query.get("state") || null),
        role: query.get("role") || undefined,
      }),
    get: (id) => users.get(id),
    create: async (input, by) => {
      const { user, api_key } = await users.create(input, by);
      return { ...user, api_key };
    },
    change: (id, input, by, ifVersion) => users.change(id, input, by, ifVersion),
    remove: (id, ifVersion) => users.remove(id, ifVersion),
  }),
});

/** Undefined where none is named. Throws a `Fault` (422) on `state`. */
function userStateNamed(name: string | null): UserState | undefined {
  const state = userStates.find((known) => known === name);
  if (name !== null && state === undefined) {
    throw invalidField("state", `is not included in the list (${userStates.join(", ")})`);
  }
  return state;
}
