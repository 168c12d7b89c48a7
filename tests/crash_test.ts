/** Kill -9 while calls are recorded and versions published: what is left is whole. */
import assert from "node:assert/strict";
import { AdminClient, setUp } from "./harness/admin.ts";
import { Load } from "./harness/load.ts";
import { startPortico, unlimited } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

Deno.test("kill -9 under load loses at most the last second of the log", async () => {
  await using upstream = await startUpstream((_request, response) => response.end("ok"));
  const dataFolder = await Deno.makeTempDir({ prefix: "portico-data-" });
  try {
    const before = await startPortico({ config: unlimited, dataFolder });
    await using _folder = before;
    const admin = await setUp(before);
    await admin.addBackend(upstream.port, "/api/");
    await admin.publish("/api/");
    const { key } = await admin.addUser();

    const seen: { readonly id: string; readonly at: number }[] = [];
    const load = new Load(() => `${before.url()}/api/x`, { "x-api-key": key }, 4, () => true);
    const probe = async () => {
      const response = await fetch(`${before.url()}/api/probe`, { headers: { "x-api-key": key } });
      await response.body?.cancel();
      seen.push({ id: response.headers.get("x-request-id") ?? "", at: performance.now() });
    };
    let killedAt = Infinity;
    await until(async () => {
      await probe();
      return (seen.at(-1)?.at ?? 0) - (seen[0]?.at ?? 0) > 2500;
    }, "calls for some seconds");
    // Edits and publishes go on in the background until the end.
    const publishing = (async () => {
      for (let round = 0; round < 200; round++) {
        await admin.addBackend(upstream.port, `/round-${round}/`);
        await admin.call("POST", "/publish", {}).then((answer) => answer.body?.cancel());
      }
    })().catch(() => "cut off");
    await probe();
    killedAt = performance.now();
    await before.end("SIGKILL");
    await Promise.all([load.stop(), publishing]);

    await using after = await startPortico({ config: unlimited, dataFolder });
    const again = new AdminClient(after.url(), admin.token);
    const kept = await keptProbes(again);
    // The clock of the test stands beside the server's: a second and a half covers the flush.
    const old = seen.filter(({ at }) => at < killedAt - 1500);
    assert.ok(old.length > 10);
    const lost = old.filter(({ id }) => !kept.has(id));
    assert.deepEqual(lost, []);
    const response = await fetch(`${after.url()}/api/x`, { headers: { "x-api-key": key } });
    assert.equal(response.status, 200, await response.text());
    await again.addBackend(upstream.port, "/new/");
    await again.publish("/new/");
  } finally {
    await Deno.remove(dataFolder, { recursive: true });
  }
});

/** The request ids of all probes in the log. */
async function keptProbes(admin: AdminClient): Promise<Set<string>> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const page = await admin.expect(
      200,
      "GET",
      `/logs?limit=1000&request_path=/api/probe${cursor === null ? "" : `&cursor=${cursor}`}`,
    );
    for (const row of page.logs as { request_id: string }[]) ids.add(row.request_id);
    cursor = page.next_cursor as string | null;
  } while (cursor !== null);
  return ids;
}
