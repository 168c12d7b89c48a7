/** Portico as the bench runs it: the real program, started as an operator would. */
import { join } from "node:path";
import { startPortico } from "../tests/harness/portico.ts";
import type { Bench } from "./bench.ts";
import { rateLimits } from "./guard.ts";
import { GATEWAY_CORE, heldTo } from "./machine.ts";
import type { RunningServer } from "./nginx/server.ts";
import { storeUsers } from "./stored_keys.ts";
import type { Upstream } from "./upstream.ts";

export interface PorticoSetup {
  readonly guarded: boolean;
  readonly workers?: number;
}

export interface GuardedServer extends RunningServer {
  /** Keys that are let through, one at least. */
  readonly keys: readonly string[];
}

/** A backend that takes calls without a key and counts and records nothing. */
const plainSettings = { disable_api_key: true, rate_limit_mode: "unlimited" };

const guardedSettings = { rate_limit_mode: "custom", rate_limits: rateLimits };

export async function startPorticoGateway(
  bench: Bench,
  upstream: Upstream,
  setup: PorticoSetup,
): Promise<GuardedServer> {
  const dataFolder = await Deno.makeTempDir({ dir: bench.folder, prefix: "portico-" });
  const keys = await storeUsers(join(dataFolder, "portico.kv"), 1);
  const portico = bench.owns(
    await startPortico({
      under: heldTo(GATEWAY_CORE, bench.machine),
      dataFolder,
      config: JSON.stringify({ // which is YAML too
        workers: setup.workers ?? 1,
        apis: [{
          name: "Bench",
          servers: [{ host: "127.0.0.1", port: upstream.port }],
          url_matches: [{ frontend_prefix: "/api/", backend_prefix: "/" }],
          settings: setup.guarded ? guardedSettings : plainSettings,
        }],
      }),
    }),
  );
  return { pid: portico.pid, url: `http://127.0.0.1:${portico.port}`, keys };
}
