/** How a process ends whose configuration is wrong: told on stderr, with code 2. */
import { ConfigurationError } from "../config/problems.ts";

const EXIT_CODE = 2;

/**
 * Gives what `load` gives. On a `ConfigurationError` the process ends, and says what
 * the errors mean; others are thrown on.
 */
export function endOnConfigurationError<T>(
  load: () => T,
  consequence = "so nothing was started",
): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(explain(error, consequence));
    Deno.exit(EXIT_CODE);
  }
}

/** The error's text for a terminal, with what it means on top. */
function explain(error: ConfigurationError, consequence: string): string {
  const count = error.problems.length;
  const errors = count === 1 ? "1 error" : `${count} errors`;
  return `portico: ${errors} in the configuration, ${consequence}\n${error.message}`;
}
