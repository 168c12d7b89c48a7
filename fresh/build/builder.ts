// `Builder`: what a project's `dev.ts` uses to build, and to serve while developing.
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { applySnapshot, type SnapshotSource } from "../server/snapshot.ts";
import type { ListenOptions, Mode } from "../server/types.ts";
import type { ServableApp } from "./dev_server.ts";
import { hashInputs, readRecord, writeRecord } from "./inputs.ts";
import type { Build } from "./make_build.ts";
import { filesBelow, findProjectFiles, type ProjectFiles } from "./project_files.ts";

export interface BuildOptions {
  /** The project's folder; default: the current one. The others are relative to it. */
  root?: string;
  /** Default `_fresh`. */
  outDir?: string;
  /** Default `static`. Of two folders with the same file, the first counts. */
  staticDir?: string | string[];
  /** Default `islands`. */
  islandDir?: string;
  /** Default `routes`. */
  routeDir?: string;
  /** The module that exports `app`; default `main.ts`. */
  serverEntry?: string;
  /** What browsers must know, for esbuild; default `es2022`. */
  target?: string | string[];
  /** Paths that match one of these are left out. */
  ignore?: RegExp[];
}

export interface ResolvedBuildConfig {
  /** Absolute paths. */
  readonly root: string;
  readonly outDir: string;
  readonly staticDirs: readonly string[];
  readonly islandDir: string;
  readonly routeDir: string;
  readonly serverEntry: string;
  readonly target: string | string[];
  readonly ignore: readonly RegExp[];
}

/** Gives an app the build that was made for it. */
export type ApplySnapshot = (app: ServableApp) => void;

const FRESH_FOLDER = dirname(dirname(fileURLToPath(import.meta.url)));

export class Builder {
  readonly config: ResolvedBuildConfig;

  constructor(options: BuildOptions = {}) {
    const root = options.root ?? Deno.cwd();
    const below = (path: string) => isAbsolute(path) ? path : join(root, path);
    this.config = {
      root,
      outDir: below(options.outDir ?? "_fresh"),
      staticDirs: [options.staticDir ?? "static"].flat().map(below),
      islandDir: below(options.islandDir ?? "islands"),
      routeDir: below(options.routeDir ?? "routes"),
      serverEntry: below(options.serverEntry ?? "main.ts"),
      target: options.target ?? "es2022",
      ignore: options.ignore ?? [],
    };
  }

  /**
   * Builds into `outDir`, unless what is there was made of the very same inputs. With
   * `snapshot: "memory"` nothing is written, and the build is given to an app by the function
   * that comes back: for tests.
   */
  build(options: { mode?: Mode; snapshot: "memory" }): Promise<ApplySnapshot>;
  build(options?: { mode?: Mode; snapshot?: "disk" }): Promise<void>;
  async build(
    { mode = "production", snapshot = "disk" }: {
      mode?: Mode;
      snapshot?: "disk" | "memory";
    } = {},
  ): Promise<ApplySnapshot | void> {
    if (snapshot === "disk") return await this.#buildToDisk(mode);
    const source = await this.#snapshotInMemory(mode);
    return (app) => applySnapshot(app, source);
  }

  /**
   * Serves an app while it is developed: builds, and builds again when an island or a static
   * file changes, upon which open pages reload. For changes of what the server runs, Deno
   * restarts the process: `deno run --watch`.
   */
  async listen(
    importApp: () => Promise<{ app: ServableApp } | ServableApp>,
    options: ListenOptions = {},
  ): Promise<void> {
    const { serveWithReload } = await import("./dev_server.ts");
    const imported = await importApp();
    const app = "app" in imported ? imported.app : imported;
    await serveWithReload({
      app,
      build: async () => applySnapshot(app, await this.#snapshotInMemory("development")),
      watched: [this.config.islandDir, ...this.config.staticDirs],
      options,
    });
  }

  async #buildToDisk(mode: Mode): Promise<void> {
    const { outDir, target } = this.config;
    const files = await findProjectFiles(this.config);
    const options = { mode, target };
    const record = await readRecord(outDir);
    if (record) {
      const hash = await hashInputs(await this.#inputs(files, record.sources), options);
      if (hash === record.hash) return;
    }
    const build = await this.#make(files, mode);
    // What esbuild is needed for is only loaded once there is something to build.
    const { writeBuild } = await import("./write_build.ts");
    await writeBuild(build, this.config);
    const hash = await hashInputs(await this.#inputs(files, build.sources), options);
    await writeRecord(outDir, { hash, sources: build.sources });
  }

  async #make(files: ProjectFiles, mode: Mode): Promise<Build> {
    const { makeBuild } = await import("./make_build.ts");
    return await makeBuild(this.config, files, { mode, target: this.config.target });
  }

  /** Every file that a build depends on. */
  async #inputs(files: ProjectFiles, sources: readonly string[]): Promise<string[]> {
    const { root, routeDir } = this.config;
    return [
      join(root, "deno.json"),
      join(root, "deno.lock"),
      ...files.routes.map((file) => join(routeDir, file)),
      ...files.islands,
      ...files.statics.values(),
      ...sources,
      ...await filesBelow(FRESH_FOLDER, [/_test\.tsx?$/, /\.md$/]),
    ];
  }

  async #snapshotInMemory(mode: Mode): Promise<SnapshotSource> {
    const build = await this.#make(await findProjectFiles(this.config), mode);
    const load = (path: string) => import(pathToFileURL(path).href);
    const { buildId, bootScripts, reloadScript, staticFiles } = build;
    return {
      buildId,
      mode,
      root: "",
      bootScripts,
      reloadScript,
      staticFiles: Object.fromEntries(staticFiles),
      routes: await Promise.all(
        build.routes.map(async ({ file, path, lazy }) => ({
          file,
          lazy,
          module: lazy ? () => load(path) : await load(path),
        })),
      ),
      islands: await Promise.all(
        build.islands.map(async ({ name, path, url, preload }) => ({
          name,
          url,
          preload,
          module: await load(path),
        })),
      ),
    };
  }
}
