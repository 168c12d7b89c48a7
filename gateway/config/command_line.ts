/** The server's command line: one option, and whatever else is given is an error. */
import { ConfigurationError } from "./problems.ts";

/** The PATH of `--config PATH` or `--config=PATH`; undefined without one. */
export function configFileOption(args: readonly string[]): string | undefined {
  let path: string | undefined;
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    if (argument === "--config") path = args[++index] ?? "";
    else if (argument.startsWith("--config=")) path = argument.slice("--config=".length);
    else throw wrong(`${JSON.stringify(argument)} is unknown; the one option is --config PATH`);
    if (path === "") throw wrong("--config needs the path of a file");
  }
  return path;
}

function wrong(message: string): ConfigurationError {
  return new ConfigurationError([{ place: "command line", key: "", message }]);
}
