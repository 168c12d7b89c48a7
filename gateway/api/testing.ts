/** What the tests of this folder share: the API on a real socket, on a store in memory. */
import { withAdmins } from "../admins/testing.ts";
import { CacheAdministration } from "../cache/administration.ts";
import { defaultConfiguration } from "../config/configuration.ts";
import { type ClientFacts, isDirect } from "../exchange/client.ts";
import { newRequestId } from "../exchange/request_id.ts";
import { Explainer } from "../explain/explainer.ts";
import { newLimitMemory, seedOf } from "../limit/limit_memory.ts";
import { RateLimiter } from "../limit/rate_limiter.ts";
import { KeyDirectory } from "../keys/key_directory.ts";
import { CallLog } from "../logs/call_log.ts";
import { createLog } from "../process/logger.ts";
import { Backends } from "../backends/backends.ts";
import { Publishing } from "../publish/publishing.ts";
import { serverSecret } from "../store/server_secret.ts";
import { HealthReports } from "../upstream/health_reports.ts";
import { SignupLimit } from "../users/signup_limit.ts";
import { Users } from "../users/users.ts";
import { Websites } from "../websites/websites.ts";
import { handleApi } from "./handle_api.ts";
import type { ApiParts } from "./operation.ts";

export const anna = { username: "anna@example.org", password: "correct horse battery" };

export interface ApiForTest {
  readonly portico: ApiParts;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The clock of sign-in and sessions. */
  readonly time: { now: number };
  /** Lines of the server's log. */
  readonly lines: string[];
  /** A call below `/admin/api`; `json` is sent as the body. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
}

export interface CallOptions {
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Record<string, string>;
}

/** Runs `test` against a server without admins. */
export async function withApi(test: (api: ApiForTest) => Promise<void>): Promise<void> {
  await withAdmins(async ({ store, time, accounts, sessions, tokens }) => {
    const lines: string[] = [];
    const log = createLog({ level: "debug", terminal: true, write: (line) => lines.push(line) });
    const secret = await serverSecret(store, null);
    const keys = new KeyDirectory(store, log);
    const users = new Users({ store, secret, keys, signupLimit: new SignupLimit(30) });
    const backends = new Backends(store);
    const websites = new Websites(store);
    const publishing = await Publishing.open(store, { backends, websites }, log);
    const callLog = new CallLog(store, { onProblem: (message) => lines.push(String(message)) });
    const limiter = new RateLimiter(newLimitMemory(seedOf(secret)));
    const config = defaultConfiguration;
    const portico: ApiParts = {
      config,
      accounts,
      sessions,
      tokens,
      backends,
      websites,
      users,
      publishing,
      callLog,
      cache: new CacheAdministration(2 ** 20),
      serverHealth: new HealthReports(),
      explainer: new Explainer({ config, publishing, users, keys, secret, limiter }),
      log,
    };
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request, info) => handleApi(portico, request, clientOf(request, info)),
    );
    const origin = `http://127.0.0.1:${server.addr.port}`;
    try {
      await test({ portico, origin, time, lines, call: caller(origin) });
    } finally {
      await server.shutdown();
      await callLog.close();
      await publishing.close();
      await keys.close();
    }
  });
}

/**
 * Runs `test` with an admin, whose calls carry the token unless they
 * bring headers of their own.
 */
export function withSignedIn(
  test: (api: ApiForTest & { readonly token: string }) => Promise<void>,
): Promise<void> {
  return withApi(async (api) => {
    const admin = await api.portico.accounts.setUp(anna, { address: "::1", direct: true });
    const { token } = await api.portico.tokens.create(admin, { name: "For the test" });
    const headers = { authorization: `Bearer ${token}` };
    const call: ApiForTest["call"] = (method, path, options = {}) =>
      api.call(method, path, { ...options, headers: { ...headers, ...options.headers } });
    await test({ ...api, call, token });
  });
}

function caller(origin: string): ApiForTest["call"] {
  return (method, path, { json, body, headers = {} } = {}) =>
    fetch(`${origin}/admin/api${path}`, {
      method,
      redirect: "manual",
      headers: json === undefined ? headers : { "content-type": "application/json", ...headers },
      body: json === undefined ? body ?? null : JSON.stringify(json),
    });
}

/** As the gateway makes them, of a server that trusts no proxy. */
function clientOf(request: Request, info: Deno.ServeHandlerInfo<Deno.NetAddr>): ClientFacts {
  const { host, hostname } = new URL(request.url);
  return {
    address: info.remoteAddr.hostname,
    scheme: "http",
    host,
    baseUrl: `http://${host}`,
    requestId: newRequestId(),
    direct: isDirect(request.headers, info.remoteAddr.hostname, hostname),
  };
}
