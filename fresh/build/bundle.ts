// The browser's side of an app: its islands and the script that starts them,
// bundled by esbuild with what they share in common chunks. esbuild runs as
// WebAssembly inside this process, so a build needs no permission to run programs.
import * as esbuild from "esbuild-wasm/esm/browser.js";
import { basename, extname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Mode } from "../server/types.ts";
import { esbuildModule } from "./esbuild_module.js";
import { ModuleResolver, type ResolvedModule } from "./module_resolver.ts";
// What the browser's side consists of is imported for Deno to have it in its cache.
import "@preact/signals";
import "preact";

export interface BundleRequest {
  readonly root: string;
  /** By name of the bundle: the absolute path of an island module. */
  readonly islands: ReadonlyMap<string, string>;
  readonly mode: Mode;
  /** What esbuild may assume of browsers, such as `es2022`. */
  readonly target: string | string[];
}

export interface Bundles {
  /** By file name: the code. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
  /** By bundle name: its own file and then those it imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Absolute paths of the project's own files that are in the bundles. */
  readonly sources: readonly string[];
}

/** The name of the bundle that every page with islands starts. */
export const BOOT = "boot";

/** The name of the bundle that reloads pages in development. */
export const RELOAD = "reload";

const NOTHING: Bundles = { files: new Map(), imports: new Map(), sources: [] };

let initialized: Promise<void> | null = null;

/**
 * Bundles islands for the browser.
 * @throws Error with file, line and column of what could not be bundled
 */
export async function bundleIslands(request: BundleRequest): Promise<Bundles> {
  if (request.islands.size === 0 && request.mode === "production") return NOTHING;
  initialized ??= esbuild.initialize({ wasmModule: esbuildModule, worker: false });
  await initialized;
  const isDevelopment = request.mode === "development";
  const entryPoints = Object.fromEntries([
    ...(request.islands.size > 0 ? [[BOOT, clientFile("boot.ts")]] : []),
    ...(isDevelopment ? [[RELOAD, clientFile("reload.ts")]] : []),
    ...request.islands,
  ]);
  const sources = new Set<string>();
  const result = await esbuild.build({
    entryPoints,
    bundle: true,
    splitting: true,
    format: "esm",
    outdir: "/",
    entryNames: "[name]",
    chunkNames: "chunk-[hash]",
    minify: !isDevelopment,
    sourcemap: isDevelopment ? "inline" : false,
    target: request.target,
    define: { "process.env.NODE_ENV": JSON.stringify(request.mode) },
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins: [modulesPlugin(await ModuleResolver.open(request.root), sources)],
  });
  const files = new Map(
    result.outputFiles.map(({ path, contents }) => [basename(path), new Uint8Array(contents)]),
  );
  const imports = new Map(
    Object.keys(entryPoints).map((name) => [name, importsOf(result.metafile, `${name}.js`)]),
  );
  return { files, imports, sources: [...sources].sort() };
}

function clientFile(name: string): string {
  return fileURLToPath(new URL(`../client/${name}`, import.meta.url));
}

/** `file` and, once each, the files it imports, theirs included. */
function importsOf(metafile: esbuild.Metafile, file: string): string[] {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      if (kind === "import-statement") visit(basename(path));
    }
  };
  visit(file);
  return [...found];
}

/** Lets esbuild find and read modules as Deno does. */
function modulesPlugin(resolver: ModuleResolver, sources: Set<string>): esbuild.Plugin {
  const modules = new Map<string, ResolvedModule>();
  const keep = (module: ResolvedModule) => {
    modules.set(module.path, module);
    return { path: module.path, namespace: "file" };
  };
  return {
    name: "modules",
    setup(build) {
      build.onResolve({ filter: /.*/ }, async ({ path, importer, kind }) => {
        if (kind === "entry-point") return keep({ path, isSource: true });
        const from = modules.get(importer);
        if (!from) throw new Error(`${importer} was not resolved`);
        return keep(await resolver.resolve(path, from));
      });
      build.onLoad({ filter: /.*/ }, async ({ path }) => {
        const { isSource } = modules.get(path)!;
        if (isSource) sources.add(path);
        const contents = isSource ? await Deno.readTextFile(path) : await packageFile(path);
        return { contents, loader: loaderOf(path) };
      });
    },
  };
}

/** The text of a file in Deno's npm cache, which can be imported without permission to read. */
async function packageFile(path: string): Promise<string> {
  const module = await import(pathToFileURL(path).href, { with: { type: "text" } });
  return module.default as string;
}

function loaderOf(path: string): esbuild.Loader {
  switch (extname(path)) {
    case ".ts":
    case ".mts":
      return "ts";
    case ".tsx":
      return "tsx";
    case ".jsx":
      return "jsx";
    case ".json":
      return "json";
    default:
      return "js";
  }
}
