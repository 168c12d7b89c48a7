/** A Portico whose one backend is an upstream of WebSockets. */
import assert from "node:assert/strict";
import { AdminClient, setUp } from "./admin.ts";
import { type RunningPortico, startPortico } from "./portico.ts";
import { RawConnection } from "./raw.ts";
import { until } from "./until.ts";
import {
  NotOpened,
  type OpenOptions,
  openWebSocket,
  type WebSocketEnd,
  type WebSocketUpstream,
} from "./websocket.ts";

/** The backend has the prefix `/ws/`. */
export class Site implements AsyncDisposable {
  constructor(
    readonly portico: RunningPortico,
    readonly admin: AdminClient,
    readonly key: string,
  ) {}

  get url(): string {
    return `${this.portico.url()}/ws/`;
  }

  open(options: OpenOptions = {}, path = "chat") {
    const headers = { "x-api-key": this.key, ...options.headers };
    return openWebSocket(this.url + path, { ...options, headers });
  }

  /** Both ends of a new WebSocket. */
  async join(
    upstream: WebSocketUpstream,
    options: OpenOptions = {},
  ): Promise<[WebSocketEnd, WebSocketEnd]> {
    const [{ end }, [server]] = await Promise.all([this.open(options), upstream.accept()]);
    return [end, server];
  }

  /** What came in place of a WebSocket. */
  async notOpened(options: OpenOptions = {}, path = "chat"): Promise<NotOpened> {
    try {
      await this.open(options, path);
    } catch (error) {
      assert.ok(error instanceof NotOpened, String(error));
      return error;
    }
    assert.fail("the WebSocket was opened");
  }

  /** The one row of the log for a path below the prefix, once it is there. */
  async logged(path: string): Promise<Record<string, unknown>> {
    let rows: Record<string, unknown>[] = [];
    await until(async () => {
      rows = await this.admin.logs(`request_path=/ws/${path}`);
      return rows.length > 0;
    }, `a log row of ${path}`);
    assert.equal(rows.length, 1);
    return rows[0]!;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.portico[Symbol.asyncDispose]();
  }
}

/** Starts one in front of the upstream at `port`, with a key whose holder has the role `writer`. */
export async function startSite(
  port: number,
  backend: Record<string, unknown> = {},
  config = "workers: 1\n",
): Promise<Site> {
  const portico = await startPortico({ config });
  const admin = await setUp(portico);
  await admin.addBackend(port, "/ws/", backend);
  await admin.expect(201, "POST", "/publish", {});
  const { key } = await admin.addUser({ roles: ["writer"] });
  await until(async () => (await fetch(`${portico.url()}/ws/`)).status !== 404, "the backend");
  return new Site(portico, admin, key);
}

/** The head of the answer to a WebSocket asked for in bytes. */
export async function opening({ portico, key }: Site, ...fields: string[]): Promise<string> {
  using connection = await RawConnection.open(portico.port);
  await connection.send(upgrade(key, ...fields));
  return await connection.readUntil((text) => text.includes("\r\n\r\n"));
}

/** A request for a WebSocket. */
export function upgrade(key: string, ...fields: string[]): string {
  const lines = [
    "GET /ws/raw HTTP/1.1",
    "Host: a.example",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    `X-Api-Key: ${key}`,
    ...fields,
    "",
    "",
  ];
  return lines.join("\r\n");
}
