/** `bin/portico` and `deno task start`, as a person or a supervisor runs them. */
import assert from "node:assert/strict";
import { compareSync } from "bcryptjs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load, temporaryFolder } from "../gateway/config/testing.ts";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));
const script = join(projectFolder, "bin/portico");

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  /** The folder it is started in. */
  readonly cwd: string;
  readonly env?: Record<string, string>;
}

/** Runs a command to its end. With a signal, sends it when the ready line has come. */
async function run({ command, args, cwd, env }: Start, signal?: Deno.Signal) {
  const child = new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { DENO: Deno.execPath(), PORTICO_HTTP_PORT: "0", NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [stdout, stderr] = await Promise.all([
    text(child.stdout, (soFar) => {
      if (signal !== undefined && soFar.includes("ready at ")) {
        child.kill(signal);
        signal = undefined;
      }
    }),
    text(child.stderr, () => {}),
  ]);
  return { code: (await child.status).code, stdout, stderr };
}

async function text(stream: ReadableStream<Uint8Array>, watch: (soFar: string) => void) {
  const decoder = new TextDecoder();
  let whole = "";
  for await (const part of stream) {
    whole += decoder.decode(part, { stream: true });
    watch(whole);
  }
  return whole;
}

Deno.test("the server starts from anywhere, with paths that hold blanks and quotes", async () => {
  await using folder = await temporaryFolder();
  const odd = join(folder.path, `it's an "odd" $HOME`);
  await Deno.mkdir(odd);
  await Deno.writeTextFile(join(odd, "my portico.yml"), "site_name: Odd\n");
  const link = join(folder.path, "portico");
  await Deno.symlink(script, link);

  const { code, stdout, stderr } = await run({
    command: link,
    args: ["start", "--config", "my portico.yml"],
    cwd: odd,
    env: { PORTICO_KV: join(odd, "new", "the data", "portico.kv") },
  }, "SIGTERM");
  assert.equal(code, 0, stderr);
  assert.match(stdout, /"stopped"/);
  assert((await Deno.stat(join(odd, "new", "the data", "portico.kv"))).isFile);
});

Deno.test("a data folder behind a link, and one with a comma in its name, will do", async () => {
  await using folder = await temporaryFolder();
  await Deno.mkdir(join(folder.path, "disk"));
  await Deno.symlink(join(folder.path, "disk"), join(folder.path, "data"));
  for (const data of ["data", "data, new"]) {
    const { code, stderr } = await run({
      command: script,
      args: ["start"],
      cwd: folder.path,
      env: { PORTICO_KV: join(folder.path, data, "portico.kv") },
    }, "SIGINT");
    assert.equal(code, 0, stderr);
  }
});

Deno.test("deno task dev works with data elsewhere, and one signal ends all of it", async () => {
  await using folder = await temporaryFolder();
  const built = () => Deno.stat(join(projectFolder, "_fresh/build.json"));
  const { ino, mtime } = await built();
  const { code, stdout, stderr } = await run({
    command: Deno.execPath(),
    args: ["task", "dev"],
    cwd: projectFolder,
    env: { PORTICO_KV: join(folder.path, "data", "portico.kv") },
  }, "SIGTERM");
  assert.equal(code, 0, stderr);
  // Its output has ended: no process is left that could write any.
  assert.match(stdout, /"stopped"/);
  const after = await built();
  assert.deepEqual([after.ino, after.mtime], [ino, mtime], "the build for production is untouched");
});

Deno.test("with a wrong configuration nothing starts, and the code is 2", async () => {
  await using folder = await temporaryFolder();
  const { code, stdout, stderr } = await run({
    command: script,
    args: ["start"],
    cwd: folder.path,
    env: { PORTICO_HTTP_PROT: "80" },
  });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  assert.equal(
    stderr,
    "portico: 1 error in the configuration, so nothing was started\n" +
      "PORTICO_HTTP_PROT: is not a variable of Portico, did you mean PORTICO_HTTP_PORT?\n",
  );
});

Deno.test("a certificate that cannot be read is a wrong configuration", async () => {
  await using folder = await temporaryFolder();
  const host = "{ hostname: a, ssl_cert: /nonexistent/a.pem, ssl_cert_key: /nonexistent/a.key }";
  const { code, stderr } = await run({
    command: script,
    args: ["start"],
    cwd: folder.path,
    env: { PORTICO_KV: ":memory:", PORTICO_HTTPS_PORT: "0", PORTICO_HOSTS: `[${host}]` },
  });
  assert.equal(code, 2);
  assert.match(stderr, /^\/nonexistent\/a\.pem: hosts\[0\]\.ssl_cert \(a\): cannot be read/m);
});

Deno.test("check-config tells what is in force, and starts nothing", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "portico.yml");
  await Deno.writeTextFile(file, "drain_seconds: 5\n");
  const { code, stdout } = await run({
    command: script,
    args: ["check-config", "--config", "portico.yml"],
    cwd: folder.path,
  });
  assert.equal(code, 0);
  assert.equal(stdout.split("\n")[0], `configuration ok: ${await Deno.realPath(file)}`);
  assert.match(stdout, /^drain_seconds +5 +\S+portico\.yml:1:1$/m);
  assert.deepEqual([...Deno.readDirSync(folder.path)].map(({ name }) => name), ["portico.yml"]);
});

Deno.test("check-config tells every mistake, and what it means", async () => {
  const { code, stdout, stderr } = await run({
    command: script,
    args: ["check-config"],
    cwd: projectFolder,
    env: { PORTICO_HTTP_PORT: "80000", PORTICO_WORKERS: "0" },
  });
  assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  assert.deepEqual(stderr.split("\n").map((line) => line.split(":")[1]), [
    " 2 errors in the configuration, with which the server does not start",
    " http_port",
    " workers",
    undefined,
  ]);
});

Deno.test("hash-password prints the hash alone, one that the configuration takes", async () => {
  const password = "correct horse battery";
  const child = new Deno.Command(script, {
    args: ["hash-password"],
    env: { DENO: Deno.execPath() },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(`${password}\n`));
  // It answers after one line, without waiting for the pipe to be closed.
  const { code, stdout, stderr } = await child.output();
  await input.close().catch(() => {});
  assert.deepEqual({ code, stderr: new TextDecoder().decode(stderr) }, { code: 0, stderr: "" });
  const hash = new TextDecoder().decode(stdout).replace(/\n$/, "");
  assert(compareSync(password, hash));
  const { config } = await load({
    environment: {
      PORTICO_WEB__ADMIN__INITIAL_SUPERUSERS: `[{ username: ada, password_hash: "${hash}" }]`,
    },
  });
  assert.equal(config.web.admin.initial_superusers[0]?.password_hash, hash);
});

Deno.test("an unknown command is answered with those there are", async () => {
  for (const args of [[], ["serve"]]) {
    const { code, stderr } = await run({ command: script, args, cwd: projectFolder });
    assert.equal(code, 2);
    assert.match(stderr, /Usage: portico start\|dev\|check-config \[--config PATH\]/);
  }
});

Deno.test("deno task start hands on arguments, signals and the exit code", async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, "it's portico.yml");
  await Deno.writeTextFile(file, "site_name: Task\n");
  const start = {
    command: Deno.execPath(),
    args: ["task", "start", "--config", file],
    cwd: projectFolder,
    env: { PORTICO_KV: ":memory:" },
  };
  const served = await run(start, "SIGTERM");
  assert.equal(served.code, 0, served.stderr);
  assert.match(served.stdout, /"stopped"/);

  await Deno.writeTextFile(file, "site_nam: Task\n");
  const refused = await run(start);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /it's portico\.yml:1:1: site_nam: is not a known key/);
});
