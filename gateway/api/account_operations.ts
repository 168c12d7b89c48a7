/** The first admin, signing in and signing out. */
import { beginSession, endSession } from "../admins/browser_session.ts";
import type { Operation } from "./operation.ts";

const tag = "Signing in";

export const accountOperations: readonly Operation[] = [
  {
    name: "setUp",
    method: "POST",
    path: "/v1/setup",
    tag,
    summary: "Create the first admin account. From another machine this takes the setup code.",
    auth: "none",
    body: { schema: "Setup" },
    answer: { status: 201, description: "The admin, and an admin token", schema: "SetupResult" },
    faults: ["FORBIDDEN", "CONFLICT", "TOO_MANY_ATTEMPTS", "UNAVAILABLE"],
    handle: async ({ portico, client, input }) => {
      const admin = await portico.accounts.setUp(input, client);
      const { token } = await portico.tokens.create(admin, { name: "Made at setup" });
      return { body: { admin, token } };
    },
  },
  {
    name: "logIn",
    method: "POST",
    path: "/v1/login",
    tag,
    summary: "Sign in: begins a session, kept by a cookie.",
    auth: "none",
    body: { schema: "Credentials" },
    answer: {
      status: 200,
      description: "The admin, and the session cookie",
      schema: "LoginResult",
    },
    faults: ["NOT_SIGNED_IN", "FORBIDDEN", "TOO_MANY_ATTEMPTS", "UNAVAILABLE"],
    handle: async (call) => {
      const { accounts, sessions } = call.portico;
      const admin = await accounts.signIn(call.input, call.client.address);
      return {
        body: { admin },
        headers: { "set-cookie": await beginSession(sessions, call, admin) },
      };
    },
  },
  {
    name: "logOut",
    method: "POST",
    path: "/v1/logout",
    tag,
    summary: "Sign out: ends the session of the cookie, if there is one.",
    auth: "none",
    answer: { status: 204, description: "Signed out" },
    faults: ["FORBIDDEN"],
    handle: async (call) => ({
      headers: { "set-cookie": await endSession(call.portico.sessions, call) },
    }),
  },
];
