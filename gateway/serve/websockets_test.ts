import assert from "node:assert/strict";
import type { Closing } from "../upstream/websocket_frame.ts";
import { OpenWebSockets } from "./websockets.ts";

class FakeWebSocket {
  readonly closings: Closing[] = [];

  close(closing: Closing): void {
    this.closings.push(closing);
  }
}

const GOING_AWAY: Closing = { code: 1001, reason: "" };

Deno.test("those that are open are closed, and others may come", () => {
  const sockets = new OpenWebSockets();
  const [open, ended, next] = [new FakeWebSocket(), new FakeWebSocket(), new FakeWebSocket()];
  sockets.add(open);
  sockets.add(ended);
  sockets.delete(ended);
  sockets.closeOpen(GOING_AWAY);
  sockets.add(next);
  assert.deepEqual(open.closings, [GOING_AWAY]);
  assert.deepEqual(ended.closings, []);
  assert.deepEqual(next.closings, []);
});

Deno.test("at the end those that come later are closed as well", () => {
  const sockets = new OpenWebSockets();
  const late = new FakeWebSocket();
  sockets.closeAll(GOING_AWAY);
  sockets.add(late);
  assert.deepEqual(late.closings, [GOING_AWAY]);
  assert.equal(sockets.count, 0);
});
