/** Runs nginx with a configuration of ours, in a folder of its own, with one worker. */
import { join } from "node:path";
import { Child, freePort } from "../child.ts";
import type { Server, Site } from "../gateway.ts";
import { heldTo } from "../machine.ts";

export interface NginxSetup {
  /** Lines of the main context, such as `load_module`. */
  readonly main?: string;
  /** Lines of the `http` context, with a server that listens on `port`. */
  readonly http: (port: number, folder: string) => string;
  readonly scheme?: "http" | "https";
}

export async function startNginx(site: Site, setup: NginxSetup): Promise<Server> {
  const folder = await Deno.makeTempDir({ dir: site.folder });
  const port = freePort();
  const configuration = join(folder, "nginx.conf");
  await Deno.writeTextFile(configuration, text(setup, port, folder));
  const nginx = site.owns(
    new Child([
      ...heldTo(site.cores, site.machine),
      site.machine.nginx ?? "nginx",
      ...["-e", join(folder, "error.log"), "-p", folder, "-c", configuration],
    ]),
  );
  const url = `${setup.scheme ?? "http"}://127.0.0.1:${port}`;
  await nginx.untilAnswering(url);
  return { pid: nginx.pid, port, url };
}

/** A client may keep its connection for ever, as Portico lets it: reconnecting would be the load. */
function text({ main = "", http }: NginxSetup, port: number, folder: string): string {
  return `
    ${main}
    ${Deno.uid() === 0 ? "user root;" : ""}
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
      ${http(port, folder)}
    }
  `;
}
