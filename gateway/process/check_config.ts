/**
 * `deno task check-config`: says whether the server would start with this
 * configuration, and where each value comes from. Starts nothing, changes nothing.
 */
import { describeConfiguration } from "../config/describe.ts";
import { loadConfiguration } from "../config/load.ts";
import { hostCertificates } from "./certificates.ts";
import { endOnConfigurationError } from "./configuration_exit.ts";

const loaded = endOnConfigurationError(() => {
  const loaded = loadConfiguration(Deno.args);
  if (loaded.config.https_port !== null) hostCertificates(loaded.config);
  return loaded;
}, "with which the server does not start");
console.log(`configuration ok: ${loaded.file ?? "no file, built-in defaults"}`);
console.log(describeConfiguration(loaded));
