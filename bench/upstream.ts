/** The server behind every gateway: small JSON, larger texts, and a POST that is read and answered. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answers } from "./answers.ts";
import type { Bench } from "./bench.ts";
import { Child, freePort } from "./child.ts";
import { heldTo, LOAD_CORE } from "./machine.ts";
import { type RunningServer, startNginx } from "./nginx/server.ts";

export interface Upstream extends RunningServer {
  readonly port: number;
  readonly program: "nginx" | "Deno.serve";
}

export async function startUpstream(bench: Bench): Promise<Upstream> {
  const server = bench.machine.nginx === null
    ? await startDeno(bench)
    : await startNginx(bench, LOAD_CORE, { http: await nginxSite(bench.folder) });
  return {
    ...server,
    port: Number(new URL(server.url).port),
    program: bench.machine.nginx === null ? "Deno.serve" : "nginx",
  };
}

async function nginxSite(folder: string): Promise<(port: number) => string> {
  const root = await Deno.makeTempDir({ dir: folder, prefix: "answers-" });
  for (const [path, body] of Object.entries(answers)) {
    await Deno.writeTextFile(join(root, path), body);
  }
  return (port) => `
    access_log off;
    default_type application/json;
    open_file_cache max=10;
    server {
      listen 127.0.0.1:${port} backlog=1024;
      root ${root};
      location = / { return 200 '${answers["/small"]}'; }
      location = /small { return 200 '${answers["/small"]}'; }
      location = /post { return 200 '${answers["/small"]}'; }
    }
  `;
}

async function startDeno(bench: Bench): Promise<RunningServer> {
  const port = freePort();
  const child = bench.owns(
    new Child([
      ...heldTo(LOAD_CORE, bench.machine),
      Deno.execPath(),
      "run",
      "--allow-net",
      fileURLToPath(new URL("./deno_upstream.ts", import.meta.url)),
      String(port),
    ]),
  );
  const url = `http://127.0.0.1:${port}`;
  await child.untilAnswering(url);
  return { pid: child.pid, url };
}
