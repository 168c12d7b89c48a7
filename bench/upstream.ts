/** The server behind every gateway: answers of three sizes, and a POST that is read and answered. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answers } from "./answers.ts";
import { Child, freePort } from "./child.ts";
import type { Server, Site } from "./gateway.ts";
import { heldTo } from "./machine.ts";
import { startNginx } from "./nginx/server.ts";

/** nginx where it is installed, else `Deno.serve`. */
export async function startUpstream(site: Site): Promise<Server> {
  if (site.machine.nginx === null) return await startDeno(site);
  const root = await Deno.makeTempDir({ dir: site.folder });
  for (const [path, body] of Object.entries(answers)) {
    await Deno.writeTextFile(join(root, path), body);
  }
  return await startNginx(site, {
    http: (port) => `
      access_log off;
      default_type application/json;
      open_file_cache max=10;
      server {
        listen 127.0.0.1:${port} backlog=1024;
        root ${root};
        location = /small { return 200 '${answers["/small"]}'; }
        location = /post { return 200 '${answers["/small"]}'; }
      }
    `,
  });
}

async function startDeno(site: Site): Promise<Server> {
  const port = freePort();
  const deno = site.owns(
    new Child([
      ...heldTo(site.cores, site.machine),
      ...[Deno.execPath(), "run", "--allow-net=127.0.0.1"],
      ...[fileURLToPath(new URL("./deno_upstream.ts", import.meta.url)), String(port)],
    ]),
  );
  const url = `http://127.0.0.1:${port}`;
  await deno.untilAnswering(url);
  return { pid: deno.pid, port, url };
}
