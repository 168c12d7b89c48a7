// deno-lint-ignore-file no-import-prefix -- only tests need it: locked in tests/deno.lock
/** Quotas over the wire: what is left of them is told, and outlasts every end of the process. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { parseList } from "npm:structured-headers@2.1.0";
import { AdminClient, setUp } from "./harness/admin.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

/** No test runs for a month; one that runs over the end of one sees a quota begin anew. */
const monthly = (limit: number, limit_by = "api_key") => ({
  quotas: [{ period: "month", limit_by, limit }],
});

function configuration(port: number, settings: Record<string, unknown>): string {
  const api = (prefix: string, more: Record<string, unknown> = {}) => ({
    name: prefix,
    servers: [{ host: "127.0.0.1", port }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings: { rate_limit_bucket_name: prefix, ...more },
  });
  return JSON.stringify({
    workers: 2,
    default_api_backend_settings: {
      rate_limits: [{ duration: 1000, limit_by: "api_key", limit: 1_000_000 }],
    },
    apis: [api("/api/", settings), api("/free/", { rate_limit_mode: "unlimited" })],
  });
}

async function call(portico: RunningPortico, path: string, key: string) {
  const response = await fetch(portico.url() + path, { headers: { "x-api-key": key } });
  const { status, headers } = response;
  const body = await response.text();
  const [, left] = parseList(headers.get("ratelimit") ?? "")
    .find(([name]) => name === "month-quota") ?? [];
  return { status, headers, body, left: left?.get("r") };
}

function burst(calls: number, portico: RunningPortico, path: string, key: string) {
  return Promise.all(Array.from({ length: calls }, () => call(portico, path, key)));
}

Deno.test("quotas over the wire", async (t) => {
  await using upstream = await startUpstream((_request, response) => response.end("ok"));
  await using portico = await startPortico({
    config: configuration(upstream.port, monthly(20)),
  });
  const admin = await setUp(portico);
  const passed = async (calls: number, path: string, key: string) =>
    (await burst(calls, portico, path, key)).filter(({ status }) => status === 200).length;

  await t.step("30 calls at once with a quota of 20: 20 are let through", async () => {
    const { key } = await admin.addUser();
    const answers = await burst(30, portico, "/api/", key);
    const left = answers.filter(({ status }) => status === 200).map(({ left }) => Number(left));
    assert.deepEqual(left.sort((a, b) => b - a), Array.from({ length: 20 }, (_, at) => 19 - at));
  });

  await t.step("a refused caller is told until when, and of which quota", async () => {
    const { key } = await admin.addUser();
    await burst(20, portico, "/api/", key);
    const before = new Date();
    const { status, headers, body, left } = await call(portico, "/api/", key);
    assert.equal(status, 429);
    assert.equal(JSON.parse(body).error.code, "OVER_RATE_LIMIT");
    assert.equal(left, 0);
    const end = Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1);
    const rest = (end - before.getTime()) / 1000;
    const retryAfter = Number(headers.get("retry-after"));
    assert.ok(retryAfter <= Math.ceil(rest) && retryAfter > rest - 60, `${retryAfter} of ${rest}`);
    const [name, policy] = parseList(headers.get("ratelimit-policy") ?? "").at(-1) ?? [];
    assert.equal(name, "month-quota");
    assert.equal(policy?.get("q"), 20);
    await until(
      async () =>
        (await admin.logs(
          "api_backend_response_code_details=over%2020%20calls%20a%20month%20%28UTC%29%20by%20API%20key",
        )).length > 0,
      "the row that names the quota",
    );
  });

  await t.step("a user's own quotas take the backend's place; unlimited lifts them", async () => {
    const { key, id } = await admin.addUser({ settings: monthly(3) });
    assert.equal(await passed(5, "/api/", key), 3);
    const settings = { rate_limit_mode: "unlimited" };
    await admin.expect(200, "PUT", `/users/${id}`, { settings });
    await until(async () => await passed(30, "/api/", key) === 30, "the quota to be lifted", 1000);
    assert.equal((await call(portico, "/free/", key)).headers.get("ratelimit"), null);
  });
});

for (const [how, signal] of [["a restart", "SIGTERM"], ["kill -9", "SIGKILL"]] as const) {
  Deno.test(`quotas outlast ${how}`, async () => {
    await using upstream = await startUpstream((_request, response) => response.end("ok"));
    const settings = { ...monthly(50), disable_analytics: true };
    const config = configuration(upstream.port, settings);
    const folder = await Deno.makeTempDir({ prefix: "portico-data-" });
    const dataFolder = join(folder, "data");
    try {
      await using first = await startPortico({ config, dataFolder });
      const admin = await setUp(first);
      const users = await Promise.all(Array.from({ length: 5 }, () => admin.addUser()));
      await Promise.all(users.map(({ key }, used) => burst(used * 7, first, "/api/", key)));
      if (signal === "SIGKILL") {
        const { key } = await admin.addUser();
        const before = await writtenAt(dataFolder);
        await call(first, "/api/", key); // so that there is a write to wait for
        await until(async () => await writtenAt(dataFolder) > before, "counters to be written");
      }
      await first.end(signal);

      await using second = await startPortico({ config, dataFolder });
      for (const [used, { key }] of users.entries()) {
        assert.equal((await call(second, "/api/", key)).left, 50 - used * 7 - 1);
      }
      const again = new AdminClient(second.url(), admin.token);
      const { key } = await again.addUser();
      assert.equal((await call(second, "/api/", key)).left, 49, "a new key begins at zero");
      await second.end("SIGTERM");

      await using third = await startPortico({ config, dataFolder });
      for (const [used, { key }] of users.entries()) {
        assert.equal((await call(third, "/api/", key)).left, 50 - used * 7 - 2);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

/** When the store was last written, in ms; calls are not recorded in these tests. */
async function writtenAt(dataFolder: string): Promise<number> {
  const { mtime } = await Deno.stat(join(dataFolder, "portico.kv-wal"));
  return mtime?.getTime() ?? 0;
}
