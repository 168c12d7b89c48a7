/** Backends whose calls are left out of the log, in whatever way a call ends. */
import assert from "node:assert/strict";
import { setUp } from "./harness/admin.ts";
import { startPortico } from "./harness/portico.ts";
import { startUpstream } from "./harness/upstream.ts";

const MAX_CALLS = 8;

Deno.test("calls of a backend with disable_analytics are not in the log, but counted while they last", async () => {
  await using upstream = await startUpstream();
  const nobody = await closedPort();
  const api = (prefix: string, port: number, settings: Record<string, unknown>) => ({
    name: prefix,
    servers: [{ host: "127.0.0.1", port }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings,
  });
  await using portico = await startPortico({
    config: JSON.stringify({ // which is YAML too
      workers: 1,
      client: { max_calls: MAX_CALLS },
      default_api_backend_settings: {
        rate_limit_mode: "unlimited",
        disable_api_key: true,
        disable_analytics: true,
      },
      apis: [
        api("/inherits/", upstream.port, {}),
        api("/needs-key/", upstream.port, { disable_api_key: false }),
        api("/dead/", nobody, {}),
        api("/recorded/", upstream.port, { disable_analytics: false }),
      ],
    }),
  });
  const admin = await setUp(portico);
  const status = async (path: string) => {
    const response = await fetch(portico.url() + path);
    await response.body?.cancel();
    return response.status;
  };
  for (let i = 0; i < 2 * MAX_CALLS; i++) assert.equal(await status("/inherits/"), 200);
  for (let i = 0; i < 2 * MAX_CALLS; i++) assert.equal(await status("/needs-key/"), 403);
  for (let i = 0; i < 2 * MAX_CALLS; i++) assert.equal(await status("/dead/"), 503);
  assert.equal(await status("/recorded/"), 200);
  assert.equal(await status("/nobody's/"), 404);

  const rows = await admin.logs();
  assert.deepEqual(rows.map((row) => row.request_path), ["/nobody's/", "/recorded/"]);
});

/** A port of loopback that nothing listens on. */
async function closedPort(): Promise<number> {
  await using upstream = await startUpstream();
  return upstream.port;
}
