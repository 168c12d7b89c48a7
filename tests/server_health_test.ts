/** How servers fare, as the REST API and the admin's pages tell it for all isolates together. */
import assert from "node:assert/strict";
import { closedPort } from "@/gateway/upstream/testing/byte_upstream.ts";
import type { ServerHealth } from "@/gateway/upstream/server_state.ts";
import { type AdminClient, password, setUp } from "./harness/admin.ts";
import { startPortico, unlimited } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

const config = `workers: 2\n${unlimited}`;
const settings = { disable_api_key: true };

async function health(admin: AdminClient, id: string): Promise<readonly ServerHealth[]> {
  const { servers } = await admin.expect(200, "GET", `/backends/${id}/health`);
  return servers as ServerHealth[];
}

/** The servers as they are once `isWanted`; `between` is done before each look. */
async function untilHealth(
  admin: AdminClient,
  id: string,
  between: () => Promise<void>,
  isWanted: (servers: readonly ServerHealth[]) => boolean,
): Promise<readonly ServerHealth[]> {
  let servers: readonly ServerHealth[] = [];
  await until(async () => {
    await between();
    servers = await health(admin, id);
    return isWanted(servers);
  }, "the servers to fare so");
  return servers;
}

/** The status of a call on a connection of its own. */
async function call(url: string): Promise<number> {
  const response = await fetch(url, { headers: { connection: "close" } });
  await response.body?.cancel();
  return response.status;
}

/** The text of one of the admin's pages. */
async function pages(admin: AdminClient): Promise<(path: string) => Promise<string>> {
  const { headers, body } = await fetch(`${admin.base}/admin/api/v1/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "admin@example.org", password }),
  });
  await body?.cancel();
  const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
  return async (path) => {
    const response = await fetch(admin.base + path, { headers: { cookie }, redirect: "manual" });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  };
}

Deno.test("a server that calls do not reach is told of as left out, with why, by all isolates", async () => {
  await using upstream = await startUpstream();
  await using portico = await startPortico({ config });
  const admin = await setUp(portico);
  const dead = closedPort();
  const servers = [upstream.port, dead].map((port) => ({ host: "127.0.0.1", port }));
  const id = await admin.addBackend(upstream.port, "/two/", { servers, settings });
  assert.deepEqual(await health(admin, id), [], "it is not live");
  await admin.publish("/two/");

  const [up, leftOut] = await untilHealth(admin, id, async () => {
    // Connections of their own, so that some come in at each isolate.
    const calls = Array.from({ length: 8 }, () => call(`${admin.base}/two/`));
    assert.deepEqual(new Set(await Promise.all(calls)), new Set([200]));
  }, ([, server]) => server?.condition === "left_out" && server.isolates === 2);
  assert.equal(up?.name, `127.0.0.1:${upstream.port}`);
  assert.deepEqual([up.condition, up.up_in, up.last_failure], ["up", 2, null]);
  assert.equal(leftOut?.name, `127.0.0.1:${dead}`);
  assert.match(leftOut.last_failure?.message ?? "", /cannot be reached/);

  const page = await pages(admin);
  assert.match(await page("/admin/backends"), /1 of 2 servers not up/);
  const own = await page(`/admin/backends/${id}`);
  for (const told of [up.name, "Left out", "cannot be reached"]) {
    assert.ok(own.includes(told), told);
  }
});

Deno.test("a server that is checked turns unhealthy and healthy again, as its answers do", async () => {
  let isWell = true;
  await using upstream = await startUpstream((request, response) => {
    response.statusCode = request.url === "/health" && !isWell ? 500 : 200;
    response.end();
  });
  await using portico = await startPortico({ config });
  const admin = await setUp(portico);
  const id = await admin.addBackend(upstream.port, "/checked/", {
    settings,
    health_check: {
      path: "/health",
      interval_seconds: 1,
      unhealthy_after: 1,
      healthy_after: 1,
    },
  });
  await admin.publish("/checked/");
  const page = await pages(admin);
  const untilIn = (condition: ServerHealth["condition"], passed: boolean) =>
    untilHealth(
      admin,
      id,
      () => Promise.resolve(),
      ([server]) =>
        server?.condition === condition && server.isolates === 2 &&
        server.last_check?.passed === passed,
    );

  await untilIn("up", true);
  assert.doesNotMatch(await page("/admin/backends"), /Server unhealthy/);
  isWell = false;
  const [unhealthy] = await untilIn("unhealthy", false);
  assert.match(unhealthy?.last_check?.message ?? "", /500/);
  assert.match(await page("/admin/backends"), /Server unhealthy/);
  assert.match(await page(`/admin/backends/${id}`), /fails its checks/);
  isWell = true;
  await untilIn("up", true);
  assert.match(await page(`/admin/backends/${id}`), /Server up/);
});
