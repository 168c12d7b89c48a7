/** Reading the configuration again while the server runs, on SIGHUP. */
import type { Configuration } from "../config/configuration.ts";
import { loadConfiguration } from "../config/load.ts";
import { ConfigurationError } from "../config/problems.ts";
import type { ProcessLog } from "./logger.ts";

/** Keys that sockets, store and secrets were opened with. */
const fixedAtStart = [
  "http_port",
  "https_port",
  "listen",
  "hosts",
  "kv",
  "secret_key",
  "workers",
  "cache",
] as const satisfies readonly (keyof Configuration)[];

/**
 * Gives the configuration as it is now, in which the keys that need a restart keep
 * their value; null when it has mistakes, which are logged: then nothing changes.
 */
export function reloadedConfiguration(
  args: readonly string[],
  running: Configuration,
  log: ProcessLog,
): Configuration | null {
  try {
    const { config } = loadConfiguration(args);
    const waiting = fixedAtStart.filter((key) =>
      JSON.stringify(config[key]) !== JSON.stringify(running[key])
    );
    if (waiting.length > 0) {
      log.warn("some changed keys take effect at the next start", { keys: waiting });
    }
    const kept = Object.fromEntries(fixedAtStart.map((key) => [key, running[key]]));
    return { ...config, ...kept };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    log.error("the configuration has mistakes; the one before stays in force", {
      problems: error.message.split("\n"),
    });
    return null;
  }
}
