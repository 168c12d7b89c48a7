/** How the process starts, reloads and ends, as its operator sees it. */
import assert from "node:assert/strict";
import { AdminClient, setUp } from "./harness/admin.ts";
import { ByteUpstream } from "@/gateway/upstream/testing/byte_upstream.ts";
import { spawnPortico, startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

Deno.test("a bad configuration starts nothing, exits with 2 and names file, line and key", async () => {
  await using portico = await spawnPortico({ config: "site_name: x\nhttp_prot: 80\n" });
  const { code } = await portico.ended();
  assert.equal(code, 2);
  assert.match(portico.output, /portico\.yml:2:1/);
  assert.match(portico.output, /http_prot/);
  assert.match(portico.output, /http_port/);
});

Deno.test("a bad value names what was found and what is allowed", async () => {
  await using portico = await spawnPortico({ config: "drain_seconds: soon\n" });
  assert.equal((await portico.ended()).code, 2);
  assert.match(portico.output, /portico\.yml:1:\d+/);
  assert.match(portico.output, /drain_seconds/);
  assert.match(portico.output, /soon/);
});

Deno.test("a port that is taken is named, with the way out", async () => {
  using taken = Deno.listen({ port: 0 });
  await using portico = await spawnPortico({
    env: { PORTICO_HTTP_PORT: String(taken.addr.port) },
  });
  assert.notEqual((await portico.ended()).code, 0);
  assert.match(portico.output, new RegExp(`${taken.addr.port}`));
  assert.match(portico.output, /http_port/);
});

Deno.test("a second process on the same store is refused, with the way out", async () => {
  await using first = await startPortico();
  await using second = await spawnPortico({ dataFolder: first.dataFolder });
  assert.notEqual((await second.ended()).code, 0);
  assert.match(second.output, /in use by process/);
});

Deno.test("SIGTERM finishes what is in flight, keeps the log and exits with 0", async () => {
  const arrived = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    const head = await peer.readHead();
    if (head.includes("/slow")) {
      arrived.resolve();
      await go.promise;
    }
    await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndone");
  });
  await using portico = await startPortico();
  const admin = await setUp(portico);
  await admin.addBackend(upstream.port, "/api/", { settings: { disable_api_key: true } });
  await admin.publish("/api/");
  const pending = fetch(`${portico.url()}/api/slow`);
  await arrived.promise;
  portico.signal("SIGTERM");
  await until(async () => {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port: portico.port })).close();
      return false;
    } catch {
      return true;
    }
  }, "the listener to be closed");
  go.resolve();
  assert.equal(await (await pending).text(), "done");
  assert.equal((await portico.ended()).code, 0, portico.output);

  await using after = await startPortico({ dataFolder: portico.dataFolder });
  const rows = await new AdminClient(after.url(), admin.token).logs("request_path=/api/slow");
  assert.equal(rows.length, 1);
});

Deno.test("a call that outlasts drain_seconds is cut off, and the exit code is still 0", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readToEnd();
  });
  await using portico = await startPortico({ config: "drain_seconds: 0.3\n" });
  const admin = await setUp(portico);
  await admin.addBackend(upstream.port, "/api/", { settings: { disable_api_key: true } });
  await admin.expect(201, "POST", "/publish", {});
  const pending = fetch(`${portico.url()}/api/never`).then(
    async (response) => `${response.status} ${await response.text()}`,
    () => "cut off",
  );
  await until(() => upstream.connections > 0, "the call");
  assert.equal((await portico.end("SIGTERM")).code, 0, portico.output);
  assert.doesNotMatch(await pending, /^200/);
});

Deno.test("SIGHUP reloads the file: new backends of it are live, a broken file changes nothing", async () => {
  await using upstream = await startUpstream();
  await using portico = await startPortico();
  const url = portico.url();
  const fromFile = (prefix: string) => `
site_name: Reloaded
apis:
  - name: From the file
    servers: [{ host: 127.0.0.1, port: ${upstream.port} }]
    url_matches: [{ frontend_prefix: ${prefix}, backend_prefix: / }]
    settings: { disable_api_key: true }
`;
  await Deno.writeTextFile(`${portico.folder}/portico.yml`, fromFile("/file/"));
  portico.signal("SIGHUP");
  await until(async () => (await fetch(`${url}/file/`)).status === 200, "the file's backend");
  assert.match(await (await fetch(`${url}/`)).text(), /Reloaded/);

  await Deno.writeTextFile(`${portico.folder}/portico.yml`, "apis: nonsense\n");
  portico.signal("SIGHUP");
  await until(() => /nonsense/.test(portico.output), "the refusal to reload");
  assert.equal((await fetch(`${url}/file/`)).status, 200);
});

Deno.test("a key of the file is overridden by the environment", async () => {
  await using portico = await startPortico({
    config: "site_name: From the file\n",
    env: { PORTICO_SITE_NAME: "From the environment" },
  });
  assert.match(await (await fetch(`${portico.url()}/`)).text(), /From the environment/);
});

Deno.test("the health check answers, and the running server has no permission to run programs", async () => {
  await using portico = await startPortico();
  const health = await fetch(`${portico.url()}/portico/health`);
  assert.deepEqual(await health.json(), { status: "ok" });
  const commandLine = (await Deno.readTextFile(`/proc/${portico.pid}/cmdline`)).split("\0");
  assert.ok(
    commandLine.includes("main.ts") || commandLine.some((part) => part.endsWith("/main.ts")),
  );
  for (const part of commandLine) {
    assert.ok(!/^(-A|--allow-all|--allow-run|--allow-ffi)/.test(part), part);
    assert.ok(!/^--allow-(write|read)$/.test(part), part);
  }
});
