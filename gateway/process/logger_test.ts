import assert from "node:assert/strict";
import { createLog, type LogLevel, type LogOptions } from "./logger.ts";

function recorded(options: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const log = createLog({
    level: "info",
    terminal: false,
    write: (line) => lines.push(line),
    now: () => new Date("2026-05-01T10:20:30.456Z"),
    ...options,
  });
  return { log, lines };
}

Deno.test("for machines a line is one JSON object: time, level, message, facts", () => {
  const { log, lines } = recorded();
  log.warn("slow backend", { backend: "weather", ms: 1200 });
  assert.deepEqual(lines, [
    '{"time":"2026-05-01T10:20:30.456Z","level":"warn","message":"slow backend","backend":"weather","ms":1200}',
  ]);
});

Deno.test("at a terminal a line is for a person", () => {
  const { log, lines } = recorded({ terminal: true });
  log.info("published", { version: 3, note: "two words" });
  assert.deepEqual(lines, ['10:20:30Z info  published version=3 note="two words"']);
});

Deno.test("lines below the level are left out, and a reload may change it", () => {
  const { log, lines } = recorded({ level: "warn" });
  const levels: LogLevel[] = ["debug", "info", "warn", "error"];
  for (const level of levels) log[level](level);
  assert.equal(lines.length, 2);
  log.setLevel("debug");
  for (const level of levels) log[level](level);
  assert.equal(lines.length, 6);
});

Deno.test("the ready line names the URLs and the process, whatever the level and whoever reads", () => {
  for (const terminal of [true, false]) {
    const { log, lines } = recorded({ terminal, level: "error" });
    log.ready(["http://localhost:8080/", "https://localhost:8443/"]);
    assert.equal(lines.length, 1);
    const said = `ready at http://localhost:8080/ and https://localhost:8443/ (pid ${Deno.pid})`;
    assert((lines[0] ?? "").includes(said), lines[0]);
  }
});

Deno.test("a fact cannot pass for the line's own time, level or message", () => {
  const { log, lines } = recorded();
  log.info("real", { level: "error", message: "forged", time: "never" });
  assert.deepEqual(JSON.parse(lines[0] ?? ""), {
    time: "2026-05-01T10:20:30.456Z",
    level: "info",
    message: "real",
  });
});

Deno.test("facts of any kind are logged, and nothing throws", () => {
  const { log, lines } = recorded();
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const throwing = {
    toJSON() {
      throw new Error("no");
    },
  };
  log.info("odd", {
    big: 1n,
    circle,
    throwing,
    none: undefined,
    call: () => 1,
    error: new TypeError("broken"),
  });
  const line = JSON.parse(lines[0] ?? "");
  assert.equal(line.big, "1");
  assert.match(line.error, /^TypeError: broken/);
  assert(!("none" in line));
});

Deno.test("a log that cannot be written takes nothing down", () => {
  const { log } = recorded({
    write() {
      throw new Deno.errors.BrokenPipe("gone");
    },
  });
  log.error("still here");
});

Deno.test("one call is one line, and a terminal gets no control characters", () => {
  for (const terminal of [true, false]) {
    const { log, lines } = recorded({ terminal });
    log.info("split\nline \x1b[2J", { agent: "a\r\nb\x1b[31m" });
    // deno-lint-ignore no-control-regex -- control characters are what must not be there
    assert.doesNotMatch(lines.join(""), /[\x00-\x1f]/);
  }
});
