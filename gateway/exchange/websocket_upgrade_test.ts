import assert from "node:assert/strict";
import { asksForWebSocket } from "./websocket_upgrade.ts";

const right = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

function asks(changes: Record<string, string | null> = {}, method = "GET"): boolean {
  const headers = new Headers();
  for (const [name, value] of Object.entries({ ...right, ...changes })) {
    if (value !== null) headers.set(name, value);
  }
  return asksForWebSocket(method, headers);
}

Deno.test("a WebSocket is asked for by the fields of RFC 6455, in any case and among others", () => {
  assert.equal(asks(), true);
  assert.equal(asks({ connection: "keep-alive, upgrade", upgrade: "h2c, WebSocket" }), true);
});

Deno.test("a request that lacks one of them asks for none", () => {
  for (const name of Object.keys(right)) assert.equal(asks({ [name]: null }), false, name);
  assert.equal(asks({ upgrade: "h2c" }), false);
  assert.equal(asks({ upgrade: "websocket2" }), false);
  assert.equal(asks({ connection: "close" }), false);
  assert.equal(asks({ "sec-websocket-version": "8" }), false);
  assert.equal(asks({ "sec-websocket-key": "c2hvcnQ=" }), false);
  assert.equal(asks({}, "POST"), false);
});
