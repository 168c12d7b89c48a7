import assert from "node:assert/strict";
import { type Answers, HandingOver, Line, LineError } from "./line.ts";

interface Asked {
  double(number: number): number;
  fail(_: null): void;
  never(_: null): void;
  shout(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
}

const answers: Answers<Asked> = {
  double: (number) => 2 * number,
  fail: () => {
    throw new Error("no answer to that");
  },
  never: () => new Promise(() => {}),
  shout: (body) => {
    const loud = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) =>
          controller.enqueue(new TextEncoder().encode(new TextDecoder().decode(bytes) + "!")),
      }),
    );
    return new HandingOver(loud, [loud]);
  },
};

async function withLine(work: (line: Line<object, Asked>) => Promise<void>): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  new Line<Asked, object>(port2, answers);
  try {
    await work(new Line<object, Asked>(port1, {}));
  } finally {
    port1.close();
    port2.close();
  }
}

Deno.test("questions get their own answers, however many are asked at once", () =>
  withLine(async (line) => {
    const asked = Array.from({ length: 100 }, (_, number) => line.ask("double", number));
    assert.deepEqual(await Promise.all(asked), asked.map((_, number) => 2 * number));
  }));

Deno.test("a question that cannot be answered is told why", () =>
  withLine(async (line) => {
    await assert.rejects(line.ask("fail", null), /no answer to that/);
  }));

Deno.test("who waits when the line is cut is told why, and so is who asks later", () =>
  withLine(async (line) => {
    const waiting = line.ask("never", null);
    line.cut("the isolate has ended");
    await assert.rejects(waiting, LineError);
    await assert.rejects(line.ask("double", 1), /the isolate has ended/);
  }));

Deno.test("bodies go over as streams, both ways", () =>
  withLine(async (line) => {
    const body = new Response("hello").body;
    assert.ok(body);
    const answer = await line.ask("shout", new HandingOver(body, [body]));
    assert.equal(await new Response(answer).text(), "hello!");
  }));
