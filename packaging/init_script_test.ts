/** Runs the init script as a system does, with the real server. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "../tests/harness/until.ts";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** An installation in a folder of its own; it is stopped and removed at the end. */
class Installation {
  readonly #log: string;

  private constructor(readonly folder: string) {
    this.#log = join(folder, "log", "portico.log");
  }

  static async create(port = 0): Promise<Installation> {
    const folder = await Deno.makeTempDir({ prefix: "portico init " });
    const settings = {
      DENO: Deno.execPath(),
      DENO_DIR: await denoFolder(),
      APP_DIR: projectFolder,
      RUN_USER: await currentUser(),
      RUN_DIR: join(folder, "run"),
      LOG_FILE: join(folder, "log", "portico.log"),
      PORTICO_CONFIG: join(folder, "portico.yml"),
      PORTICO_KV: join(folder, "data", "portico.kv"),
      PORTICO_HTTP_PORT: String(port),
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"\n`);
    await Deno.writeTextFile(join(folder, "defaults"), lines.join(""));
    const installation = new Installation(folder);
    await installation.configure("site_name: Before\n");
    return installation;
  }

  async configure(text: string): Promise<void> {
    await Deno.writeTextFile(join(this.folder, "portico.yml"), text);
  }

  async run(action: string): Promise<Outcome> {
    const { code, stdout, stderr } = await new Deno.Command("sh", {
      args: [join(projectFolder, "packaging/portico.init"), action],
      env: { DEFAULTS: join(this.folder, "defaults") },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
  }

  /** What the server has logged. */
  log(): Promise<string> {
    return Deno.readTextFile(this.#log);
  }

  /** The homepage's text, from the URL that the last ready line names. */
  async homepage(): Promise<string> {
    const url = [...(await this.log()).matchAll(/ready at ([^\s"]+)/g)].at(-1)?.[1];
    assert(url !== undefined);
    return await (await fetch(url)).text();
  }

  pid(): Promise<string> {
    return Deno.readTextFile(join(this.folder, "run", "portico.pid"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.run("stop");
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function textOf(command: string, ...args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(command, { args }).output();
  return new TextDecoder().decode(stdout);
}

async function currentUser(): Promise<string> {
  return (await textOf("id", "-un")).trim();
}

/** Where the modules are that this very process has loaded, so that nothing is fetched. */
async function denoFolder(): Promise<string> {
  return JSON.parse(await textOf(Deno.execPath(), "info", "--json")).denoDir;
}

Deno.test("the init script starts, reloads and stops the server, and tells how it is", async (t) => {
  await using portico = await Installation.create();

  await t.step("before the start it is stopped", async () => {
    assert.deepEqual(await portico.run("status"), { code: 3, output: "portico is stopped\n" });
    assert.equal((await portico.run("reload")).code, 7);
  });

  await t.step("start answers when the server is ready", async () => {
    const { code, output } = await portico.run("start");
    assert.equal(code, 0, output);
    assert.match(await portico.homepage(), /Before/);
    assert.match((await portico.run("status")).output, /portico is running \(PID \d+\)/);
    assert.equal((await portico.run("status")).code, 0);
  });

  await t.step("only the server's user may read log and data", async () => {
    for (const name of ["log/portico.log", "data"]) {
      const { mode } = await Deno.stat(join(portico.folder, name));
      assert.equal((mode ?? 0) & 0o077, 0, name);
    }
  });

  await t.step("a second start changes nothing", async () => {
    const pid = await portico.pid();
    assert.equal((await portico.run("start")).code, 0);
    assert.equal(await portico.pid(), pid);
  });

  await t.step("reload takes over a changed file", async () => {
    await portico.configure("site_name: After\n");
    assert.equal((await portico.run("reload")).code, 0);
    await until(async () => (await portico.homepage()).includes("After"), "the new site name");
  });

  await t.step("a file with mistakes neither reloads nor restarts", async () => {
    await portico.configure("site_nam: Broken\n");
    const pid = await portico.pid();
    for (const action of ["reload", "restart"]) {
      const { code, output } = await portico.run(action);
      assert.equal(code, 6, output);
      assert.match(output, /portico\.yml:1:1: site_nam: is not a known key/);
    }
    assert.equal(await portico.pid(), pid);
    assert.equal((await portico.run("status")).code, 0);
  });

  await t.step("restart is another process", async () => {
    await portico.configure("site_name: Again\n");
    const pid = await portico.pid();
    assert.equal((await portico.run("restart")).code, 0);
    assert.notEqual(await portico.pid(), pid);
    assert.match(await portico.homepage(), /Again/);
  });

  await t.step("stop lets the server end in order", async () => {
    assert.equal((await portico.run("stop")).code, 0);
    assert.match((await portico.log()).trimEnd().split("\n").at(-1) ?? "", /"stopped"/);
    assert.equal((await portico.run("status")).code, 3);
    assert.equal((await portico.run("stop")).code, 0, "stopping what is stopped succeeds");
  });
});

Deno.test("a start that fails says why, and leaves nothing behind", async () => {
  using taken = Deno.listen({ hostname: "0.0.0.0", port: 0 });
  await using portico = await Installation.create(taken.addr.port);
  const { code, output } = await portico.run("start");
  assert.equal(code, 1);
  assert.match(
    output,
    new RegExp(`portico did not start.*cannot listen on .* ${taken.addr.port}`, "s"),
  );
  assert.equal((await portico.run("status")).code, 3);
});

Deno.test("a PID that belongs to another program is not taken for the server", async () => {
  await using portico = await Installation.create();
  const run = join(portico.folder, "run");
  await Deno.mkdir(run);
  await Deno.writeTextFile(join(run, "portico.pid"), String(Deno.pid));
  assert.equal((await portico.run("status")).code, 1);
  assert.equal((await portico.run("stop")).code, 0);
  assert.equal((await portico.run("status")).code, 3);
});

Deno.test("an unknown action is answered with those there are", async () => {
  await using portico = await Installation.create();
  const { code, output } = await portico.run("begin");
  assert.equal(code, 2);
  assert.match(output, /\{start\|stop\|restart\|try-restart\|reload\|force-reload\|status\}/);
});
