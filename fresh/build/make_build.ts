// One build: from the files of a project to what its server needs to know.
import { basename, join } from "node:path";
import type { StaticFile } from "../server/snapshot.ts";
import type { Mode } from "../server/types.ts";
import { BOOT, bundleIslands, type Bundles, RELOAD } from "./bundle.ts";
import { contentTypeOf } from "./content_types.ts";
import { hashOf } from "./inputs.ts";
import type { ProjectFiles, ProjectFolders } from "./project_files.ts";

export interface Build {
  readonly buildId: string;
  readonly mode: Mode;
  readonly routes: readonly RouteSource[];
  readonly islands: readonly IslandSource[];
  readonly bootScripts: readonly string[];
  readonly reloadScript: string | null;
  /** By URL path: bundles with their content, files of `static/` with their absolute path. */
  readonly staticFiles: ReadonlyMap<string, StaticFile>;
  /** Absolute paths of the sources of the bundles. */
  readonly sources: readonly string[];
}

export interface RouteSource {
  /** Path below `routes/`. */
  readonly file: string;
  /** Absolute. */
  readonly path: string;
  readonly lazy: boolean;
}

export interface IslandSource {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly url: string;
  readonly preload: readonly string[];
}

export interface BuildSettings {
  readonly mode: Mode;
  readonly target: string | string[];
}

/**
 * Builds a project.
 * @throws Error with file, line and column of what cannot be bundled
 */
export async function makeBuild(
  folders: ProjectFolders,
  files: ProjectFiles,
  settings: BuildSettings,
): Promise<Build> {
  const islandPaths = namedIslands(files.islands);
  const bundles = await bundleIslands({ root: folders.root, islands: islandPaths, ...settings });
  const statics = await readStatics(files.statics);
  const routes = await Promise.all(
    files.routes.map((file) => routeSource(file, join(folders.routeDir, file))),
  );
  const buildId = buildIdOf(settings.mode, bundles, statics);
  const urlsOf = (name: string) =>
    (bundles.imports.get(name) ?? []).map((file) => bundleUrl(buildId, file));
  const islands = [...islandPaths].map(([name, path]) => {
    const [url = "", ...preload] = urlsOf(name);
    return { name, path, url, preload };
  });
  return {
    buildId,
    mode: settings.mode,
    routes,
    islands,
    bootScripts: urlsOf(BOOT),
    reloadScript: urlsOf(RELOAD)[0] ?? null,
    staticFiles: new Map([...statics, ...bundleFiles(buildId, bundles)]),
    sources: bundles.sources,
  };
}

function bundleUrl(buildId: string, file: string): string {
  return `/_fresh/js/${buildId}/${file}`;
}

const RESERVED = new Set([BOOT, RELOAD]);

/** Gives island modules the names of their files; one whose name is taken gets `_1`. */
function namedIslands(paths: readonly string[]): Map<string, string> {
  const named = new Map<string, string>();
  for (const path of paths) {
    const base = basename(path).replace(/\.[^.]+$/, "").replace(/[^A-Za-z0-9_$-]/g, "_");
    let name = base;
    for (let n = 1; named.has(name) || RESERVED.has(name); n++) name = `${base}_${n}`;
    named.set(name, path);
  }
  return named;
}

/** `_` files act on others, and an override is a route's URL: those are loaded with the app. */
async function routeSource(file: string, path: string): Promise<RouteSource> {
  const lazy = !basename(file).startsWith("_") &&
    !(await Deno.readTextFile(path)).includes("routeOverride");
  return { file, path, lazy };
}

async function readStatics(paths: ReadonlyMap<string, string>): Promise<Map<string, StaticFile>> {
  const statics = new Map<string, StaticFile>();
  for (const [url, path] of paths) {
    statics.set(url, {
      content: path,
      contentType: contentTypeOf(path),
      hash: hashOf(await Deno.readFile(path)),
      immutable: false,
    });
  }
  return statics;
}

function bundleFiles(buildId: string, bundles: Bundles): [string, StaticFile][] {
  return [...bundles.files].map(([file, content]) => [bundleUrl(buildId, file), {
    content,
    contentType: contentTypeOf(file),
    hash: hashOf(content),
    immutable: true,
  }]);
}

/** The same for the same bundles and static files, so that a build that changes nothing clears no cache. */
function buildIdOf(mode: Mode, bundles: Bundles, statics: ReadonlyMap<string, StaticFile>): string {
  const content = [
    ...[...statics].map(([url, { hash }]) => [url, hash]),
    ...[...bundles.files].map(([file, code]) => [file, hashOf(code)]),
  ];
  return hashOf(JSON.stringify([mode, content.sort()])).slice(0, 20);
}
