import assert from "node:assert/strict";
import { DeadlineWatch } from "../deadlines.ts";
import { type BodyBounds, BodyReader, unbounded } from "./body_reader.ts";
import { OpenBodies } from "./open_bodies.ts";

/** A body that comes piece by piece as the test says, on a clock that the test moves. */
class Upload implements Disposable {
  now = 0;
  isCancelled = false;
  readonly open = new OpenBodies();
  readonly reader: BodyReader;
  readonly #watch = new DeadlineWatch({ period: 3_600_000, clock: () => this.now });
  #client!: ReadableStreamDefaultController<Uint8Array>;

  constructor(bounds: Partial<BodyBounds> = {}) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#client = controller;
      },
      cancel: () => {
        this.isCancelled = true;
      },
    });
    const options = { watch: this.#watch, open: this.open };
    this.reader = new BodyReader(body, { ...unbounded, ...bounds }, options);
  }

  /** Reads while the client takes `ms` to send `bytes`: how many came, or why none did. */
  async next(ms: number, bytes: number): Promise<unknown> {
    const read = this.reader.read();
    this.now += ms;
    this.#watch.sweep();
    if (!this.isCancelled) this.#client.enqueue(new Uint8Array(bytes));
    return (await read)?.length ?? this.reader.fault;
  }

  end(): void {
    this.#client.close();
  }

  fail(): void {
    this.#client.error(new Error("gone"));
  }

  [Symbol.dispose](): void {
    this.reader.cancel();
  }
}

Deno.test("a body is read to its end, and is open until then", async () => {
  const upload = new Upload();
  const none = upload.open.none();
  assert.equal(await upload.next(0, 3), 3);
  upload.end();
  assert.equal(await upload.reader.read(), null);
  assert.equal(upload.reader.fault, null);
  await none;
});

Deno.test("a body may have the allowed bytes and not one more", async () => {
  using upload = new Upload({ maxBytes: 10 });
  assert.equal(await upload.next(0, 10), 10);
  assert.equal(await upload.next(0, 1), "body_too_large");
  assert.ok(upload.isCancelled);
});

Deno.test("a client that sends nothing for the whole period has stalled", async () => {
  using upload = new Upload({ period: 60_000, minBytes: 1 });
  assert.equal(await upload.next(59_999, 1), 1);
  assert.equal(await upload.next(59_999, 1), 1);
  assert.equal(await upload.next(60_000, 1), "body_stalled");
  assert.ok(upload.isCancelled);
  await upload.open.none();
});

Deno.test("a client that sends too little in a period has stalled, however often it sends", async () => {
  using upload = new Upload({ period: 60_000, minBytes: 1000 });
  for (let second = 0; second < 59; second++) assert.equal(await upload.next(1000, 1), 1);
  assert.equal(await upload.next(1000, 1), "body_stalled");
});

Deno.test("enough bytes begin a new period, early ones are no credit for a later one", async () => {
  using upload = new Upload({ period: 60_000, minBytes: 1000 });
  assert.equal(await upload.next(59_000, 1000), 1000);
  assert.equal(await upload.next(59_000, 5_000_000), 5_000_000);
  assert.equal(await upload.next(59_000, 999), 999);
  assert.equal(await upload.next(1000, 999), "body_stalled");
});

Deno.test("time that the upstream takes is not held against the client", async () => {
  using upload = new Upload({ period: 60_000, minBytes: 1000 });
  assert.equal(await upload.next(30_000, 1), 1);
  upload.now += 600_000;
  assert.equal(await upload.next(29_000, 1), 1);
});

Deno.test("a body that breaks off was the client's doing, unless this server shut its socket", async () => {
  for (const cut of [false, true]) {
    const upload = new Upload();
    if (cut) upload.open.cut();
    upload.fail();
    assert.equal(await upload.reader.read(), null);
    assert.equal(upload.reader.fault, cut ? "body_cut" : "client_aborted");
    await upload.open.none();
  }
});

Deno.test("a body that is complete, or that nobody wants, is not waited for", async () => {
  const complete = new Upload();
  complete.reader.complete();
  await complete.open.none();
  const unwanted = new Upload();
  unwanted.reader.cancel();
  await unwanted.open.none();
  assert.ok(unwanted.isCancelled);
});
