/**
 * Portico, the whole program: load the configuration, open the store, build the
 * web app, put the gateway handler in front of it, listen, drain on a signal.
 */
import { loadConfiguration } from "@/gateway/config/load.ts";
import { ServingIsolates } from "@/gateway/isolates/serving_isolates.ts";
import { openPortico, type Portico } from "@/gateway/portico.ts";
import { httpsCertificates } from "@/gateway/process/certificates.ts";
import { endOnConfigurationError } from "@/gateway/process/configuration_exit.ts";
import { type ProcessLog, standardLog } from "@/gateway/process/logger.ts";
import { reloadedConfiguration } from "@/gateway/process/reload.ts";
import { listenForSignals } from "@/gateway/process/signals.ts";
import { ListenError } from "@/gateway/serve/listeners.ts";
import { loadWebApp } from "@/gateway/serve/web_app.ts";
import { Store, StoreError } from "@/gateway/store/store.ts";

/**
 * Runs Portico until a signal ends it; throws when it cannot start. `webFolder` is the
 * project's folder that the web pages were built into.
 */
export async function start(args: readonly string[], webFolder = "_fresh"): Promise<void> {
  const { config } = endOnConfigurationError(() => loadConfiguration(args));
  const log = standardLog(config.log.level);
  const certificates = config.https_port === null
    ? null
    : endOnConfigurationError(() => httpsCertificates(config, log));
  const web = await loadWebApp(webFolder);
  const store = await Store.open(config.kv);
  const portico = await openPortico(config, store, log);
  const server = new ServingIsolates(portico, web, certificates);
  try {
    await server.start();
    const stop = listenForSignals(() => reload(args, server, log));
    tellSetupCode(portico, log);
    log.ready(server.urls);
    log.info("stopping", { signal: await stop });
    if (!await server.stop()) log.warn("calls that took longer than drain_seconds were cut off");
  } finally {
    await portico.close();
  }
  log.info("stopped");
}

async function reload(
  args: readonly string[],
  server: ServingIsolates,
  log: ProcessLog,
): Promise<void> {
  try {
    const config = reloadedConfiguration(args, server.config, log);
    if (config === null) return;
    await server.reconfigure(config);
    log.setLevel(config.log.level);
    log.info("configuration reloaded");
  } catch (error) {
    log.error("the configuration could not be reloaded; the one before stays in force", { error });
  }
}

/** Whoever is not at this machine needs the code to create the first admin. */
function tellSetupCode({ accounts }: Portico, log: ProcessLog): void {
  if (accounts.setupCode === null) return;
  log.info("no admin yet: open /admin/ here, or from elsewhere with the setup code", {
    setup_code: accounts.setupCode,
  });
}

/** What to show of an error that kept the server from starting: some say all in their message. */
export function startError(error: unknown): unknown {
  return error instanceof ListenError || error instanceof StoreError ? error.message : error;
}

if (import.meta.main) {
  try {
    await start(Deno.args);
  } catch (error) {
    console.error("portico:", startError(error));
    Deno.exit(1);
  }
  // A call that was cut off may still hold a socket open.
  Deno.exit(0);
}
