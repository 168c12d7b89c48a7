import assert from "node:assert/strict";
import { hash32 } from "../hash32.ts";
import { clientHash } from "./address_hash.ts";
import { type Candidate, choose } from "./balance.ts";

interface Server extends Candidate {
  readonly name: string;
  isUp: boolean;
}

function serversOf(count: number): Server[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `server-${index}.example:80`;
    return {
      name,
      busy: 0,
      hash: hash32(name),
      isUp: true,
      isUsable() {
        return this.isUp;
      },
    };
  });
}

/** Addresses as of clients all over the world. */
const clients = Array.from(
  { length: 10_000 },
  (_, index) => `${11 + index % 97}.${index % 251}.${index % 83}.${index % 241}`,
);

/** The name of the server that `ip_hash` sends a client to. */
function serverOf(client: string, servers: readonly Server[], turn = 0): string | undefined {
  return choose({
    servers,
    algorithm: "ip_hash",
    turn,
    client: clientHash(client),
    tried: null,
    now: () => 0,
  })?.name;
}

/** How many clients are sent to another server than before. */
function moved(before: readonly Server[], after: readonly Server[]): number {
  return clients.filter((client) => serverOf(client, before) !== serverOf(client, after)).length;
}

Deno.test("ip_hash sends a client to the same server every time, in whatever order they are", () => {
  const servers = serversOf(5);
  const reversed = servers.toReversed();
  clients.forEach((client, turn) => {
    assert.equal(serverOf(client, servers, turn), serverOf(client, reversed, turn + 1));
  });
});

Deno.test("ip_hash gives each server its part of the clients", () => {
  for (const count of [2, 3, 5, 16]) {
    const servers = serversOf(count);
    const tally = new Map<string | undefined, number>();
    for (const client of clients) {
      const name = serverOf(client, servers);
      tally.set(name, (tally.get(name) ?? 0) + 1);
    }
    assert.equal(tally.size, count);
    const fair = clients.length / count;
    for (const clients of tally.values()) {
      assert.ok(Math.abs(clients - fair) < 0.15 * fair, `${clients} of ${count} servers' share`);
    }
  }
});

Deno.test("a server more takes its part of ip_hash's clients, and only those move", () => {
  for (const count of [1, 2, 4, 9]) {
    const before = serversOf(count);
    const after = serversOf(count + 1);
    const newcomer = after.at(-1)!.name;
    for (const client of clients) {
      const name = serverOf(client, after);
      if (name !== newcomer) assert.equal(name, serverOf(client, before));
    }
    const part = clients.length / (count + 1);
    const share = moved(before, after);
    assert.ok(Math.abs(share - part) < 0.15 * part, `${share} moved, ${part} were fair`);
  }
});

Deno.test("the clients of a server that fails spread over the others, and come back", () => {
  const servers = serversOf(4);
  const before = clients.map((client) => serverOf(client, servers));
  servers[1]!.isUp = false;
  const taken = new Set<string | undefined>();
  clients.forEach((client, index) => {
    const name = serverOf(client, servers);
    if (before[index] === servers[1]!.name) taken.add(name);
    else assert.equal(name, before[index]);
  });
  assert.equal(taken.size, 3);
  servers[1]!.isUp = true;
  assert.deepEqual(clients.map((client) => serverOf(client, servers)), before);
});

Deno.test("ip_hash counts the first 64 bits of an IPv6 address", () => {
  const servers = serversOf(50);
  const home = serverOf("2001:db8:1:2::1", servers);
  for (const address of ["2001:db8:1:2:ffff::", "2001:db8:1:2:3:4:5:6", "2001:0db8:1:2::77"]) {
    assert.equal(serverOf(address, servers), home);
  }
  const neighbours = Array.from(
    { length: 50 },
    (_, net) => serverOf(`2001:db8:1:${net}::1`, servers),
  );
  assert.ok(new Set(neighbours).size > 20);
});
