import assert from "node:assert/strict";
import { WebSocketPause } from "./websocket_pause.ts";

const state = Symbol("[[readyState]]");

Deno.test("a socket that is paused passes for closed no longer than until something is sent to it", () => {
  const socket = {
    [state]: WebSocket.OPEN as number,
    get readyState() {
      return this[state] as WebSocket["readyState"];
    },
  };
  const pause = new WebSocketPause(socket);
  pause.begin();
  assert.equal(socket.readyState, WebSocket.CLOSED);
  pause.endPose();
  assert.equal(socket.readyState, WebSocket.OPEN);
});
