/** What this machine has: cores to pin to and the programs that the bench can use. */
import { delimiter, join } from "node:path";

/** Where Debian, Alpine and Red Hat keep nginx's loadable modules. */
const MODULE_FOLDERS = ["/usr/lib/nginx/modules", "/usr/lib64/nginx/modules"];
/** In the order nginx has to load them. */
const LUA_MODULES = ["ndk_http_module.so", "ngx_http_lua_module.so"];

export interface Machine {
  readonly cores: number;
  readonly processor: string;
  /** Paths of programs; null: not installed. */
  readonly wrk: string | null;
  readonly nginx: string | null;
  readonly node: string | null;
  /** `load_module` lines for Lua in nginx; null: not installed. */
  readonly nginxLua: string | null;
  /** Whether processes can be held to cores. */
  readonly pins: boolean;
}

export async function lookAtMachine(): Promise<Machine> {
  const cores = navigator.hardwareConcurrency;
  const nginx = await findProgram("nginx");
  return {
    cores,
    processor: await processorName(),
    wrk: await findProgram("wrk"),
    nginx,
    node: await findNode(),
    nginxLua: nginx === null ? null : await luaModules(),
    pins: cores >= 2 && await findProgram("taskset") !== null,
  };
}

/** The core that the load generator and the upstream share. */
export const LOAD_CORE = "0";

/** The core that a gateway has to itself. */
export const GATEWAY_CORE = "1";

/** The cores of a gateway that has two: not the load's where there are enough. */
export function twoCores({ cores }: Machine): string {
  return cores > 2 ? "1,2" : "0,1";
}

/**
 * The start of a command that holds what follows to `cores` (null: to none); empty where that
 * cannot be done.
 */
export function heldTo(cores: string | null, machine: Machine): readonly string[] {
  return machine.pins && cores !== null ? ["taskset", "-c", cores] : [];
}

/** What drives load at saturation. */
export function driver({ wrk }: Machine): string {
  return wrk === null ? "autocannon" : "wrk";
}

export function upstreamProgram({ nginx }: Machine): string {
  return nginx === null ? "Deno.serve" : "nginx";
}

/** What the proxies from npm run on. */
export function nodeRuntime({ node }: Machine): string {
  return node === null ? "Deno" : "Node.js";
}

/** What would make the bench more complete, one line each. */
export function missingPrograms(machine: Machine): readonly string[] {
  const missing: string[] = [];
  const tell = (there: unknown, text: string) => there || missing.push(text);
  tell(machine.wrk, "wrk: autocannon drives instead, at a lower rate (Debian: apt install wrk)");
  tell(
    machine.nginx,
    "nginx: no nginx to compare with, and Deno serves as upstream " +
      "(Debian: apt install nginx-light libnginx-mod-http-lua)",
  );
  tell(
    machine.nginx === null || machine.nginxLua,
    "Lua in nginx: no nginx + Lua to compare with (Debian: apt install libnginx-mod-http-lua)",
  );
  tell(machine.node, "node: the npm proxies run under Deno");
  tell(machine.pins, "taskset or a second core: nothing is pinned, so expect noise");
  return missing;
}

async function findProgram(name: string): Promise<string | null> {
  return (await programs(name))[0] ?? null;
}

/** Node.js itself; on the path that Deno hands on, its own stand-in comes first. */
async function findNode(): Promise<string | null> {
  for (const path of await programs("node")) {
    const args = ["--print", "process.versions.deno === undefined"];
    const { stdout } = await new Deno.Command(path, { args, stderr: "null" }).output();
    if (new TextDecoder().decode(stdout).trim() === "true") return path;
  }
  return null;
}

/** Every program of that name, in the order of the path. */
async function programs(name: string): Promise<readonly string[]> {
  const folders = (Deno.env.get("PATH") ?? "").split(delimiter).filter((folder) => folder !== "");
  const paths = [...folders, "/usr/sbin"].map((folder) => join(folder, name));
  const there = await Promise.all(paths.map(isFile));
  return paths.filter((_, index) => there[index]);
}

async function luaModules(): Promise<string | null> {
  for (const folder of MODULE_FOLDERS) {
    const paths = LUA_MODULES.map((name) => join(folder, name));
    const there = await Promise.all(paths.map(isFile));
    if (there.every(Boolean)) return paths.map((path) => `load_module ${path};`).join("\n");
  }
  return null;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}

async function processorName(): Promise<string> {
  const facts = await Deno.readTextFile("/proc/cpuinfo");
  return /^model name\s*:\s*(.+)$/m.exec(facts)?.[1] ?? Deno.build.arch;
}
