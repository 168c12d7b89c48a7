import assert from "node:assert/strict";
import { DeadlineWatch } from "../deadlines.ts";
import { mergeServerStates, type ServerState } from "./server_state.ts";
import { ByteUpstream, closedPort } from "./testing/byte_upstream.ts";
import { TestGroup, text } from "./testing/calls.ts";

const UP: ServerState = {
  name: "a.example:80",
  addresses: ["192.0.2.1"],
  dns_failure: null,
  busy: 1,
  idle: 2,
  condition: "up",
  failures: 0,
  left_out_until: null,
  last_failure: null,
  last_check: null,
};

Deno.test("a group tells of each server where it is, what it carries and how it fares", async () => {
  let now = 5000;
  const watch = new DeadlineWatch({ clock: () => now });
  await using upstream = new ByteUpstream(async (peer) => {
    const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    while (await peer.answer(ok).then(() => true, () => false));
  });
  const gone = { host: "127.0.0.1", port: closedPort() };
  using group = new TestGroup([upstream, gone], { watch, algorithm: "least_conn" });
  for (let i = 0; i < 2; i++) await text(await group.get().answer);
  const before = Date.now();
  const [up, leftOut] = group.state();
  assert.deepEqual(up, { ...UP, name: up!.name, addresses: ["127.0.0.1"], busy: 0, idle: 1 });
  assert.equal(leftOut?.name, `127.0.0.1:${gone.port}`);
  assert.equal(leftOut.condition, "left_out");
  assert.equal(leftOut.failures, 1);
  assert.match(leftOut.last_failure!.message, /cannot be reached/);
  const ago = before - Date.parse(leftOut.last_failure!.at);
  assert.ok(Math.abs(ago) < 10_000, `failed ${ago} ms ago`);
  now += 400;
  const earliest = Date.now() + 600;
  const until = Date.parse(group.state()[1]!.left_out_until!);
  assert.ok(earliest <= until && until <= Date.now() + 600);
  assert.deepEqual(structuredClone(group.state()).length, 2);
});

Deno.test("what several isolates know is added up, and of what happened the newest stands", () => {
  const first = { at: "2026-05-01T10:00:00.000Z", message: "first" };
  const second = { at: "2026-05-01T10:00:01.000Z", message: "second" };
  const merged = mergeServerStates([
    [
      {
        ...UP,
        condition: "left_out",
        failures: 3,
        left_out_until: "2026-05-01T10:00:08.000Z",
        last_failure: second,
        last_check: { ...first, passed: true },
      },
      { ...UP, name: "b.example:80" },
    ],
    [
      {
        ...UP,
        addresses: ["192.0.2.1", "192.0.2.2"],
        dns_failure: "ENOTFOUND",
        last_failure: first,
        last_check: { ...second, passed: false },
      },
      { ...UP, name: "b.example:80" },
    ],
  ]);
  assert.deepEqual(merged, [
    {
      name: "a.example:80",
      addresses: ["192.0.2.1", "192.0.2.2"],
      dns_failure: "ENOTFOUND",
      busy: 2,
      idle: 4,
      condition: "partly_up",
      failures: 3,
      left_out_until: "2026-05-01T10:00:08.000Z",
      last_failure: second,
      last_check: { ...second, passed: false },
      up_in: 1,
      isolates: 2,
    },
    { ...UP, name: "b.example:80", busy: 2, idle: 4, up_in: 2, isolates: 2 },
  ]);
});

Deno.test("of no isolates there is nothing to tell", () => {
  assert.deepEqual(mergeServerStates([]), []);
});
