import assert from "node:assert/strict";
import { OpenBodies } from "../exchange/open_bodies.ts";
import { RawConnection } from "@/tests/harness/raw.ts";
import { type HttpServer, LastingServer } from "./lasting_server.ts";

/** Servers whose sockets fail when the test says so. */
class Sockets {
  readonly ports: number[] = [];
  readonly failures: unknown[] = [];
  /** Servers that were shut down, by their number. */
  readonly shutDown: number[] = [];
  /** How many of the next attempts to open one are refused. */
  refusals = 0;
  readonly bodies = new OpenBodies();
  #fail: (error: Error) => void = () => {};
  #opened = Promise.withResolvers<void>();

  open = (port: number): HttpServer => {
    if (this.refusals-- > 0) throw new Error("too many open files");
    const index = this.ports.push(port) - 1;
    const { promise, reject } = Promise.withResolvers<void>();
    this.#fail = reject;
    this.#opened.resolve();
    return {
      addr: { transport: "tcp", hostname: "127.0.0.1", port: port || 4321 },
      finished: promise,
      shutdown: () => Promise.resolve(void this.shutDown.push(index)),
    } as HttpServer; // all that is asked of it
  };

  /** The open socket fails; resolves when another is open. */
  async fail(): Promise<void> {
    this.#opened = Promise.withResolvers<void>();
    this.#fail(new Error("accept"));
    await this.#opened.promise;
  }

  serve(bodiesPatience = 3_600_000): LastingServer {
    return new LastingServer({
      open: this.open,
      port: 0,
      bodies: this.bodies,
      onFailure: (error) => this.failures.push(String(error)),
      reopenAfter: 0,
      bodiesPatience,
    });
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
  assert.deepEqual(sockets.shutDown, [0, 1]);
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

Deno.test("the end waits for the bodies that are being read", async () => {
  const sockets = new Sockets();
  const server = sockets.serve();
  const body = { cut() {} };
  sockets.bodies.add(body);
  const end = server.shutdown();
  assert.deepEqual(sockets.shutDown, []);
  sockets.bodies.delete(body);
  await end;
  assert.deepEqual(sockets.shutDown, [0]);
});

Deno.test("bodies hold up the shedding for a while, then they are cut off and told so", async () => {
  const sockets = new Sockets();
  const server = sockets.serve(0);
  let isCut = false;
  sockets.bodies.add({ cut: () => isCut = true });
  await server.shed();
  assert.ok(isCut);
  assert.deepEqual(sockets.ports, [0, 4321]);
  assert.deepEqual(sockets.shutDown, [0]);
});

Deno.test("when there is no socket to be had beside the old one, that one goes first", async () => {
  const sockets = new Sockets();
  const server = sockets.serve();
  sockets.refusals = 1;
  await server.shed();
  assert.deepEqual(sockets.failures, ["Error: too many open files"]);
  assert.deepEqual(sockets.shutDown, [0]);
  assert.deepEqual(sockets.ports, [0, 4321]);
  await server.shutdown();
  assert.deepEqual(sockets.shutDown, [0, 1]);
});

/** A real server; `/slow` is answered when `go` resolves. */
function realServer(go: Promise<void>): LastingServer {
  return new LastingServer({
    open: (port) =>
      Deno.serve(
        { hostname: "127.0.0.1", port, reusePort: true, onListen: () => {} },
        async ({ url }) => {
          if (url.endsWith("/slow")) await go;
          return new Response("done");
        },
      ),
    port: 0,
    bodies: new OpenBodies(),
    onFailure: () => {},
  });
}

Deno.test("shedding closes connections without a call; calls in flight and new ones are served", async () => {
  const go = Promise.withResolvers<void>();
  const server = realServer(go.promise);
  const { port } = server.address;
  using idle = await RawConnection.open(port);
  await idle.send("GET /idle HTTP/1.1\r\nHost: a\r\n\r\n");
  await idle.readUntil((text) => text.endsWith("done"));
  using slow = await RawConnection.open(port);
  await slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
  using trickling = await RawConnection.open(port);
  await trickling.send("GET / HTTP/1.1\r\nX-A: ");
  using silent = await RawConnection.open(port);

  await server.shed();
  await Promise.all([idle.readAll(), trickling.readAll(), silent.readAll()]);
  const answer = await fetch(`http://127.0.0.1:${port}/new`);
  assert.equal(await answer.text(), "done");
  go.resolve();
  assert.match(await slow.readAll(), /done$/);
  await server.shutdown();
});
