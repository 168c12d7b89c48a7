// Which files of a project count: routes, islands and static files.
import { join, relative, sep } from "node:path";

export interface ProjectFolders {
  /** Absolute paths. */
  readonly root: string;
  readonly routeDir: string;
  readonly islandDir: string;
  readonly staticDirs: readonly string[];
  /** Paths that match one of these do not count. */
  readonly ignore: readonly RegExp[];
}

export interface ProjectFiles {
  /** Below `routes/`, with `/` between parts. */
  readonly routes: readonly string[];
  /** Absolute paths. */
  readonly islands: readonly string[];
  /** By URL path: the absolute path. */
  readonly statics: ReadonlyMap<string, string>;
}

/** Finds the files that count, in an order that is the same every time. */
export async function findProjectFiles(folders: ProjectFolders): Promise<ProjectFiles> {
  const { routeDir, islandDir, staticDirs, ignore } = folders;
  const routes: string[] = [];
  const islands: string[] = [];
  for (const path of await filesBelow(routeDir, ignore)) {
    const file = urlPath(routeDir, path);
    if (!isModule(file)) continue;
    if (file.includes("(_islands)/")) islands.push(path);
    else if (!/(^|\/)\(_[^/]*\)\//.test(file)) routes.push(file);
  }
  for (const path of await filesBelow(islandDir, ignore)) {
    if (isModule(path)) islands.push(path);
  }

  const statics = new Map<string, string>();
  for (const staticDir of staticDirs) {
    for (const path of await filesBelow(staticDir, ignore)) {
      const url = `/${urlPath(staticDir, path)}`;
      // Of two folders with the same file, the first counts.
      if (!isHidden(url) && !statics.has(url)) statics.set(url, path);
    }
  }
  return { routes, islands, statics };
}

/** A path below `folder` with `/` between its parts, on any system. */
export function urlPath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}

function isModule(path: string): boolean {
  return /\.[tj]sx?$/.test(path) && !/[._]test\.[tj]sx?$/.test(path);
}

function isHidden(url: string): boolean {
  return url.split("/").some((part) => part.startsWith(".") && part !== ".well-known");
}

/** The files in and below a folder, sorted; none if there is no such folder. */
export async function filesBelow(folder: string, ignore: readonly RegExp[]): Promise<string[]> {
  const paths: string[] = [];
  try {
    for await (const entry of Deno.readDir(folder)) {
      const path = join(folder, entry.name);
      if (ignore.some((pattern) => pattern.test(path))) continue;
      if (entry.isDirectory) paths.push(...await filesBelow(path, ignore));
      else if (entry.isFile) paths.push(path);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return paths.sort();
}
