/** Sets a Portico up over its REST API, as an operator's script would. */
import assert from "node:assert/strict";
import type { RunningPortico } from "./portico.ts";
import { until } from "./until.ts";

export const password = "correct horse battery";

/** The REST API of a running Portico, signed in with an admin token. */
export class AdminClient {
  constructor(readonly base: string, readonly token: string) {}

  call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    return fetch(`${this.base}/admin/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** The JSON answer of a call that must end with `status`. */
  async expect(status: number, method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await this.call(method, path, body);
    const text = await response.text();
    assert.equal(response.status, status, `${method} ${path}: ${text}`);
    return text === "" ? {} : JSON.parse(text);
  }

  /** Creates a backend with one server on loopback; gives its id. */
  async addBackend(port: number, prefix: string, more: Record<string, unknown> = {}) {
    const backend = await this.expect(201, "POST", "/backends", {
      name: `Backend of ${prefix}`,
      servers: [{ host: "127.0.0.1", port }],
      url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
      ...more,
    });
    return String(backend.id);
  }

  /** Publishes every change and waits until `path` is no longer NOT_FOUND. */
  async publish(path: string): Promise<void> {
    await this.expect(201, "POST", "/publish", {});
    await until(async () => {
      const response = await fetch(this.base + path);
      const text = await response.text();
      return !text.includes('"NOT_FOUND"');
    }, `${path} to be live`);
  }

  /** Creates a key holder; gives the key. */
  async addUser(more: Record<string, unknown> = {}): Promise<{ id: string; key: string }> {
    const user = await this.expect(201, "POST", "/users", {
      email: "caller@example.org",
      first_name: "Ada",
      last_name: "Caller",
      ...more,
    });
    return { id: String(user.id), key: String(user.api_key) };
  }

  /** The log rows of a query, newest first. */
  async logs(query = ""): Promise<Record<string, unknown>[]> {
    const answer = await this.expect(200, "GET", `/logs${query === "" ? "" : `?${query}`}`);
    return answer.logs as Record<string, unknown>[];
  }
}

export type Answer = Record<string, unknown>;

/** Creates the first admin of a fresh Portico. */
export async function setUp(portico: RunningPortico): Promise<AdminClient> {
  const response = await fetch(`${portico.url()}/admin/api/v1/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "admin@example.org", password }),
  });
  const text = await response.text();
  assert.equal(response.status, 201, text);
  return new AdminClient(portico.url(), JSON.parse(text).token);
}
