import assert from "node:assert/strict";
import { acceptFor, WebSocketHandshake } from "./websocket_handshake.ts";

type Fields = [name: string, value: string][];

/** As a client's request goes out that has passed every check. */
const outgoing: Fields = [
  ["host", "upstream.example"],
  ["origin", "https://app.example"],
  ["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="],
  ["sec-websocket-version", "13"],
  ["sec-websocket-extensions", "permessage-deflate"],
  ["sec-websocket-protocol", "chat, superchat"],
];

function valueOf(fields: readonly (readonly [string, string])[], name: string): string[] {
  return fields.filter(([field]) => field === name).map(([, value]) => value);
}

/** The answer of a server that agrees, but for `changes`. */
function agreed(changes: Record<string, string | string[]>): Fields {
  const handshake = new WebSocketHandshake(outgoing);
  const [key = ""] = valueOf(handshake.request.headers, "sec-websocket-key");
  const answer = { "sec-websocket-accept": acceptFor(key), ...changes };
  return handshake.agreed(
    Object.entries(answer).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value])
    ),
  );
}

Deno.test("the accepted key is that of the example in RFC 6455", () => {
  assert.equal(acceptFor("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
});

Deno.test("the request has a key of its own, offers no extension, and keeps what is the client's", () => {
  const { headers, upgrade } = new WebSocketHandshake(outgoing).request;
  assert.equal(upgrade, "websocket");
  assert.deepEqual(valueOf(headers, "sec-websocket-extensions"), []);
  assert.deepEqual(valueOf(headers, "sec-websocket-version"), ["13"]);
  assert.deepEqual(valueOf(headers, "sec-websocket-protocol"), ["chat, superchat"]);
  assert.deepEqual(valueOf(headers, "origin"), ["https://app.example"]);
  const [key = "", ...others] = valueOf(headers, "sec-websocket-key");
  assert.deepEqual(others, []);
  assert.equal(atob(key).length, 16);
  assert.notEqual(key, "dGhlIHNhbXBsZSBub25jZQ==");
});

Deno.test("of the server's answer the client gets all but what is of one connection", () => {
  const fields = agreed({ "sec-websocket-protocol": "superchat", "set-cookie": ["a=1", "b=2"] });
  assert.deepEqual(fields, [
    ["sec-websocket-protocol", "superchat"],
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
  ]);
});

Deno.test("a server that agrees to something else is refused", () => {
  const cases: [changes: Record<string, string | string[]>, message: RegExp][] = [
    [{ "sec-websocket-accept": acceptFor("another key") }, /Sec-WebSocket-Accept/],
    [{ "sec-websocket-accept": [] }, /Sec-WebSocket-Accept/],
    [{ "sec-websocket-extensions": "permessage-deflate" }, /extension/],
    [{ "sec-websocket-protocol": "neverheard" }, /subprotocol/],
    [{ "sec-websocket-protocol": ["chat", "superchat"] }, /subprotocol/],
  ];
  for (const [changes, message] of cases) {
    assert.throws(() => agreed(changes), { name: "ProtocolError", message });
  }
});
