/** Runs nginx with a configuration of ours, in a folder of its own, with one worker. */
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { Child, freePort } from "../child.ts";
import { heldTo } from "../machine.ts";

/** What differs between the servers. */
export interface NginxSite {
  /** Lines in the main context, such as `load_module`. */
  readonly main?: string;
  /** Lines in the `http` context; `server` listens on the port given. */
  readonly http: (port: number, folder: string) => string;
}

export interface RunningServer {
  readonly pid: number;
  /** Without a slash at its end. */
  readonly url: string;
}

/** Starts nginx held to `cores`, and ends it with the bench. */
export async function startNginx(
  bench: Bench,
  cores: string,
  { main = "", http }: NginxSite,
): Promise<RunningServer> {
  const folder = await Deno.makeTempDir({ dir: bench.folder, prefix: "nginx-" });
  const port = freePort();
  const configuration = join(folder, "nginx.conf");
  await Deno.writeTextFile(configuration, text(main, http(port, folder), folder));
  const child = bench.owns(
    new Child([
      ...heldTo(cores, bench.machine),
      bench.machine.nginx ?? "nginx",
      "-e",
      join(folder, "error.log"),
      "-p",
      folder,
      "-c",
      configuration,
    ]),
  );
  const url = `http://127.0.0.1:${port}`;
  await child.untilAnswering(url);
  return { pid: child.pid, url };
}

/** A client may keep its connection for ever, as Portico lets it: reconnecting would be the load. */
function text(main: string, http: string, folder: string): string {
  const user = Deno.uid() === 0 ? "user root;" : "";
  return `
    ${main}
    ${user}
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log ${folder}/error.log warn;
    events { worker_connections 4096; }
    http {
      client_body_temp_path ${folder}/body;
      proxy_temp_path ${folder}/proxy;
      fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi;
      scgi_temp_path ${folder}/scgi;
      keepalive_requests 1000000000;
      sendfile on;
      tcp_nopush on;
      tcp_nodelay on;
      ${http}
    }
  `;
}
