/**
 * The first, short-lived step of `bin/portico start`: prints the flags the server
 * is to be started with, quoted for the shell, or what is wrong with the
 * configuration.
 */
import { loadConfiguration, processSurroundings } from "../config/load.ts";
import { endOnConfigurationError } from "./configuration_exit.ts";
import { permissionFlags, shellQuoted } from "./permissions.ts";
import { runtimeProblem } from "./runtime.ts";

const problem = runtimeProblem();
if (problem !== null) {
  console.error(problem);
  Deno.exit(1);
}

const surroundings = processSurroundings();
const loaded = endOnConfigurationError(() => loadConfiguration(Deno.args, surroundings));
console.log(shellQuoted(permissionFlags(loaded, surroundings)));
