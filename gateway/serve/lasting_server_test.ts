import assert from "node:assert/strict";
import { type HttpServer, LastingServer } from "./lasting_server.ts";

/** Servers whose sockets fail when the test says so. */
class Sockets {
  readonly ports: number[] = [];
  readonly failures: unknown[] = [];
  /** How many of the next attempts to open one are refused. */
  refusals = 0;
  #fail: (error: Error) => void = () => {};
  #opened = Promise.withResolvers<void>();

  open = (port: number): HttpServer => {
    if (this.refusals-- > 0) throw new Error("too many open files");
    this.ports.push(port);
    const { promise, reject } = Promise.withResolvers<void>();
    this.#fail = reject;
    this.#opened.resolve();
    return {
      addr: { transport: "tcp", hostname: "127.0.0.1", port: port || 4321 },
      finished: promise,
      shutdown: () => Promise.resolve(),
    } as HttpServer; // all that is asked of it
  };

  /** The open socket fails; resolves when another is open. */
  async fail(): Promise<void> {
    this.#opened = Promise.withResolvers<void>();
    this.#fail(new Error("accept"));
    await this.#opened.promise;
  }

  serve(): LastingServer {
    const onFailure = (error: unknown) => this.failures.push(String(error));
    return new LastingServer({ open: this.open, port: 0, onFailure, reopenAfter: 0 });
  }
}

Deno.test("a socket that fails is opened again on the same port, as often as it takes", async () => {
  const sockets = new Sockets();
  const server = sockets.serve();
  sockets.refusals = 2;
  await sockets.fail();
  await sockets.fail();
  assert.deepEqual(sockets.ports, [0, 4321, 4321]);
  const refused = "Error: too many open files";
  assert.deepEqual(sockets.failures, ["Error: accept", refused, refused, "Error: accept"]);
  await server.shutdown();
});

Deno.test("a socket that cannot be opened the first time is an error", () => {
  const sockets = new Sockets();
  sockets.refusals = 1;
  assert.throws(() => sockets.serve(), /too many open files/);
});

Deno.test("after the end nothing is opened any more", async () => {
  const sockets = new Sockets();
  const server = sockets.serve();
  await server.shutdown();
  sockets.fail();
  await Promise.resolve();
  assert.deepEqual(sockets.failures, []);
  assert.deepEqual(sockets.ports, [0]);
});
