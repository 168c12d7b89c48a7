/**
 * The server's own log: one JSON object a line for machines, one plain line for
 * a person at a terminal. Logging never throws and never decides what is secret:
 * callers hand over only what may be read by whoever reads logs.
 */

export interface Logger {
  debug(message: string, facts?: Record<string, unknown>): void;
  info(message: string, facts?: Record<string, unknown>): void;
  warn(message: string, facts?: Record<string, unknown>): void;
  error(message: string, facts?: Record<string, unknown>): void;
}

const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = typeof logLevels[number];

/** The log of the running process, which also says when it is ready. */
export interface ProcessLog extends Logger {
  /**
   * The line that tells whoever started the server that it serves, and which process
   * takes signals; no level hides it.
   */
  ready(urls: readonly string[]): void;
  /** For a reload; takes effect with the next line. */
  setLevel(level: LogLevel): void;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** A person reads along: plain lines instead of JSON. */
  readonly terminal: boolean;
  /** Takes one line without its line feed. */
  readonly write: (line: string) => void;
  readonly now?: () => Date;
}

/** The log on standard output. */
export function standardLog(level: LogLevel): ProcessLog {
  const encoder = new TextEncoder();
  return createLog({
    level,
    terminal: Deno.stdout.isTerminal(),
    write: (line) => writeAll(encoder.encode(line + "\n")),
  });
}

export function createLog(options: LogOptions): ProcessLog {
  let threshold = logLevels.indexOf(options.level);
  const now = options.now ?? (() => new Date());
  const format = options.terminal ? plainLine : jsonLine;

  const put = (level: LogLevel, message: string, facts: Record<string, unknown>) => {
    try {
      options.write(format(now(), level, message, facts));
    } catch {
      // A closed pipe or a full disk must not take the gateway down with it.
    }
  };
  const at = (level: LogLevel) => (message: string, facts: Record<string, unknown> = {}) => {
    if (logLevels.indexOf(level) >= threshold) put(level, message, facts);
  };

  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    ready: (urls) => put("info", `ready at ${urls.join(" and ")} (pid ${Deno.pid})`, {}),
    setLevel: (level) => threshold = logLevels.indexOf(level),
  };
}

function jsonLine(time: Date, level: LogLevel, message: string, facts: Record<string, unknown>) {
  const own = { time: time.toISOString(), level, message };
  // First for the order, last for the truth: a fact named "level" must not pass for the line's.
  return JSON.stringify({ ...own, ...plain(facts), ...own });
}

function plainLine(time: Date, level: LogLevel, message: string, facts: Record<string, unknown>) {
  const clock = time.toISOString().slice(11, 19);
  const pairs = Object.entries(plain(facts)).map(([name, value]) => ` ${name}=${word(value)}`);
  return printable(`${clock}Z ${level.padEnd(5)} ${message}${pairs.join("")}`);
}

/** Facts as plain JSON values: errors keep their message, nothing throws on the way out. */
function plain(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, plainValue(value)]),
  );
}

function plainValue(value: unknown): unknown {
  if (value instanceof Error) return value.stack ?? String(value);
  if (typeof value === "bigint") return String(value);
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return Object.prototype.toString.call(value);
  }
}

function word(value: unknown): string {
  if (typeof value === "string" && /^[^\s"=]+$/.test(value)) return value;
  return JSON.stringify(value);
}

/** Control characters spelled out: a logged header must not move the terminal's cursor. */
function printable(line: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is replaced
  return line.replace(/[\x00-\x1f\x7f-\x9f]/g, (char) => {
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
}

function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}
