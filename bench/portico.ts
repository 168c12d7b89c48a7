/** Portico as the bench runs it: the real program, started as an operator would. */
import { join } from "node:path";
import { selfSigned } from "@/gateway/process/self_signed.ts";
import { type PorticoOptions, spawnPortico } from "../tests/harness/portico.ts";
import type { GatewaySite, StartGateway } from "./gateway.ts";
import { rateLimits } from "./guard.ts";
import { heldTo } from "./machine.ts";
import { storeUsers } from "./stored_keys.ts";

export interface PorticoSetup {
  /** Whether calls need a key, are counted against five limits and recorded. */
  readonly guarded: boolean;
  /** What the backends are set to besides. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly https?: boolean;
  /** Serving isolates. */
  readonly workers?: number | "auto";
  /** Backends; the calls go to the last one. */
  readonly backends?: number;
  /** API users in the store. */
  readonly users?: number;
}

/** Keys that are kept of those in the store: as many callers take turns at most. */
const KEYS_KEPT = 10_000;

/** A backend that takes calls without a key, and neither counts nor records them. */
const plainSettings = {
  disable_api_key: true,
  rate_limit_mode: "unlimited",
  disable_analytics: true,
};

const guardedSettings = { rate_limit_mode: "custom", rate_limits: rateLimits };

/** Starts a Portico that answers below `/api/`. */
export function portico(setup: PorticoSetup): StartGateway {
  return async (site) => {
    const dataFolder = await Deno.makeTempDir({ dir: site.folder });
    const keys = await storeUsers(join(dataFolder, "portico.kv"), setup.users ?? 1);
    const running = site.owns(await spawnPortico(await porticoOptions(site, setup, dataFolder)));
    await running.untilReady();
    const scheme = setup.https ? "https" : "http";
    const port = Number(new URL(running.url(scheme)).port);
    return {
      pid: running.pid,
      port,
      url: `${scheme}://127.0.0.1:${port}`,
      keys: setup.guarded ? keys.slice(0, KEYS_KEPT) : [],
    };
  };
}

/** How a Portico of this set-up is started on a data folder. */
export async function porticoOptions(
  site: GatewaySite,
  setup: PorticoSetup,
  dataFolder: string,
): Promise<PorticoOptions> {
  return {
    under: heldTo(site.cores, site.machine),
    dataFolder,
    config: JSON.stringify({ // which is YAML too
      workers: setup.workers ?? 1,
      ...(setup.https ? await httpsKeys(dataFolder) : {}),
      apis: backends(site, setup),
    }),
  };
}

function backends({ upstream }: GatewaySite, setup: PorticoSetup) {
  const count = setup.backends ?? 1;
  return Array.from({ length: count }, (_, index) => ({
    name: `Backend ${index}`,
    servers: [{ host: "127.0.0.1", port: upstream.port }],
    url_matches: [{
      frontend_prefix: index === count - 1 ? "/api/" : `/api-${index}/`,
      backend_prefix: "/",
    }],
    settings: { ...setup.guarded ? guardedSettings : plainSettings, ...setup.settings },
  }));
}

async function httpsKeys(folder: string) {
  const { cert, key } = await writeCertificate(folder);
  return {
    https_port: 0,
    hosts: [{ hostname: "localhost", default: true, ssl_cert: cert, ssl_cert_key: key }],
  };
}

/** Writes a certificate as Portico makes them (ECDSA on P-256), for every gateway alike; the paths. */
export async function writeCertificate(folder: string): Promise<{ cert: string; key: string }> {
  const { cert, key } = selfSigned(["localhost", "127.0.0.1"], new Date(), 30);
  const paths = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  await Deno.writeTextFile(paths.cert, cert);
  await Deno.writeTextFile(paths.key, key);
  return paths;
}
