/** How many isolates serve: one a core, or as many as the configuration says. */
import type { Configuration } from "../config/configuration.ts";

export function isolateCount({ workers }: Pick<Configuration, "workers">): number {
  return workers === "auto" ? navigator.hardwareConcurrency : workers;
}
