/** What holds in all serving isolates at once, seen by calls that come in at any of them. */
import assert from "node:assert/strict";
import { AdminClient, setUp } from "./harness/admin.ts";
import { type RunningPortico, startPortico, unlimited } from "./harness/portico.ts";
import { startUpstream } from "./harness/upstream.ts";

/** So many connections reach every one of four isolates, but for once in 10,000 runs. */
const CALLS = 48;

/** Statuses of calls each on a connection of its own, which the system gives to any isolate. */
async function statuses(portico: RunningPortico, path: string, key = ""): Promise<Set<number>> {
  const call = async () => {
    const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
    try {
      const init: RequestInit & { client: Deno.HttpClient } = {
        client,
        headers: { "x-api-key": key },
      };
      const response = await fetch(portico.url() + path, init);
      await response.body?.cancel();
      return response.status;
    } finally {
      client.close();
    }
  };
  return new Set(await Promise.all(Array.from({ length: CALLS }, call)));
}

async function withFourIsolates(
  work: (portico: RunningPortico, admin: AdminClient, upstreamPort: number) => Promise<void>,
) {
  await using upstream = await startUpstream();
  await using portico = await startPortico({ config: `workers: 4\n${unlimited}` });
  await work(portico, await setUp(portico), upstream.port);
}

Deno.test("what is published is live in every isolate when the answer says so", () =>
  withFourIsolates(async (portico, admin, port) => {
    for (const path of ["/a/", "/b/", "/c/"]) {
      await admin.addBackend(port, path, { settings: { disable_api_key: true } });
      await admin.expect(201, "POST", "/publish", {});
      assert.deepEqual(await statuses(portico, path), new Set([200]));
    }
  }));

Deno.test("a key is good, disabled, good again and gone in every isolate when the answer says so", () =>
  withFourIsolates(async (portico, admin, port) => {
    await admin.addBackend(port, "/a/");
    await admin.expect(201, "POST", "/publish", {});
    for (let round = 0; round < 3; round++) {
      const { id, key } = await admin.addUser();
      assert.deepEqual(await statuses(portico, "/a/", key), new Set([200]));
      await admin.expect(200, "PUT", `/users/${id}`, { enabled: false });
      assert.deepEqual(await statuses(portico, "/a/", key), new Set([403]));
      await admin.expect(200, "PUT", `/users/${id}`, { enabled: true });
      assert.deepEqual(await statuses(portico, "/a/", key), new Set([200]));
      await admin.expect(204, "DELETE", `/users/${id}`);
      assert.deepEqual(await statuses(portico, "/a/", key), new Set([403]));
    }
  }));

Deno.test("the log and the session of an admin are the same whichever isolate is asked", () =>
  withFourIsolates(async (portico, admin, port) => {
    await admin.addBackend(port, "/a/", { settings: { disable_api_key: true } });
    await admin.expect(201, "POST", "/publish", {});
    await statuses(portico, "/a/x");
    const totals = await Promise.all(Array.from({ length: CALLS }, async () => {
      const { total } = await admin.expect(200, "GET", "/logs?request_path=/a/x");
      return total;
    }));
    assert.deepEqual(new Set(totals), new Set([CALLS]));
  }));
