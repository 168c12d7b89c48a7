/**
 * The npm packages that only the bench uses: installed anew into its scratch folder, from a
 * lock of their own, so that nobody who starts or tests Portico downloads them.
 */
import { join } from "node:path";
import { Child, freePort } from "../child.ts";
import type { StartGateway } from "../gateway.ts";
import { heldTo, type Machine } from "../machine.ts";

const FILES = [
  "package.json",
  "deno.lock",
  "fastify.cjs",
  "http_proxy_3.cjs",
  "drive.cjs",
] as const;

/** Installs the packages below `folder`; gives the folder with the programs that use them. */
export async function installPackages(folder: string): Promise<string> {
  const target = join(folder, "peers");
  await Deno.mkdir(target);
  for (const name of FILES) {
    await Deno.copyFile(new URL(name, import.meta.url), join(target, name));
  }
  const command = [Deno.execPath(), "install", "--quiet", "--frozen", "--node-modules-dir=auto"];
  await new Child(command, { cwd: target }).finished();
  return target;
}

/** The start of a command that runs a program for Node.js: Node.js itself where it is installed. */
export function nodeCommand(machine: Machine): readonly string[] {
  return machine.node === null ? [Deno.execPath(), "run", "--allow-all"] : [machine.node];
}

/** A proxy written for Node.js; `more` are arguments of its own. */
export function nodeProxy(
  file: "fastify.cjs" | "http_proxy_3.cjs",
  ...more: readonly string[]
): StartGateway {
  return async (site) => {
    const port = freePort();
    const proxy = site.owns(
      new Child([
        ...heldTo(site.cores, site.machine),
        ...nodeCommand(site.machine),
        join(await site.packages(), file),
        ...[String(port), String(site.upstream.port), ...more],
      ]),
    );
    const url = `http://127.0.0.1:${port}`;
    await proxy.untilAnswering(url);
    return { pid: proxy.pid, port, url, keys: [] };
  };
}
