// Writes a build to its folder: the bundles, a snapshot module that imports the
// project's routes and islands, and the server module that puts app and snapshot together.
import { dirname, join } from "node:path";
import type { StaticFile } from "../server/snapshot.ts";
import { removeRecord } from "./inputs.ts";
import type { Build } from "./make_build.ts";
import { urlPath } from "./project_files.ts";

export interface BuildFolders {
  /** Absolute paths. */
  readonly root: string;
  readonly outDir: string;
  /** The module that exports `app`. */
  readonly serverEntry: string;
}

/** Replaces what is in `outDir` by `build`. */
export async function writeBuild(build: Build, folders: BuildFolders): Promise<void> {
  const { outDir } = folders;
  await Deno.mkdir(outDir, { recursive: true });
  await removeRecord(outDir);
  for await (const entry of Deno.readDir(outDir)) {
    await Deno.remove(join(outDir, entry.name), { recursive: true });
  }
  const staticFiles = await writeBundles(build, folders);
  await Deno.writeTextFile(
    join(outDir, "snapshot.js"),
    snapshotModule(build, staticFiles, folders),
  );
  await Deno.writeTextFile(join(outDir, "server.js"), serverModule(folders));
}

/** Writes what is only in memory; gives all static files with their paths below the root. */
async function writeBundles(
  build: Build,
  { root, outDir }: BuildFolders,
): Promise<Record<string, StaticFile>> {
  const written: Record<string, StaticFile> = {};
  for (const [url, file] of build.staticFiles) {
    const { content } = file;
    const path = typeof content === "string" ? content : join(outDir, url.replace("/_fresh/", ""));
    if (typeof content !== "string") {
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.writeFile(path, content);
    }
    written[url] = { ...file, content: urlPath(root, path) };
  }
  return written;
}

function snapshotModule(
  build: Build,
  staticFiles: Record<string, StaticFile>,
  { root, outDir }: BuildFolders,
): string {
  const imports: string[] = [];
  const imported = (path: string, name: string) => {
    imports.push(`import * as ${name} from ${specifier(outDir, path)};`);
    return name;
  };
  const routes = build.routes.map(({ file, path, lazy }, index) => {
    const module = lazy
      ? `() => import(${specifier(outDir, path)})`
      : imported(path, `route${index}`);
    return `    { file: ${JSON.stringify(file)}, lazy: ${lazy}, module: ${module} },`;
  });
  const islands = build.islands.map(({ name, path, url, preload }, index) => {
    const module = imported(path, `island${index}`);
    return `    { name: ${JSON.stringify(name)}, module: ${module}, url: ${JSON.stringify(url)}, ` +
      `preload: ${JSON.stringify(preload)} },`;
  });
  return `// Written by the build.
import { fileURLToPath } from "node:url";
${imports.join("\n")}

export default {
  buildId: ${JSON.stringify(build.buildId)},
  mode: ${JSON.stringify(build.mode)},
  root: fileURLToPath(new URL(${JSON.stringify(`${urlPath(outDir, root)}/`)}, import.meta.url)),
  routes: [
${routes.join("\n")}
  ],
  islands: [
${islands.join("\n")}
  ],
  bootScripts: ${JSON.stringify(build.bootScripts)},
  reloadScript: ${JSON.stringify(build.reloadScript)},
  staticFiles: ${JSON.stringify(staticFiles, null, 2)},
};
`;
}

function serverModule({ outDir, serverEntry }: BuildFolders): string {
  return `// Written by the build: \`deno serve\` runs it, a program of one's own imports it.
import { applySnapshot } from "fresh/internal";
import { app } from ${specifier(outDir, serverEntry)};
import snapshot from "./snapshot.js";

applySnapshot(app, snapshot);

export default { fetch: app.handler() };
`;
}

/** How a module in `folder` imports `path`. */
function specifier(folder: string, path: string): string {
  const relative = urlPath(folder, path).replace(/[%?#]/g, encodeURIComponent);
  return JSON.stringify(relative.startsWith(".") ? relative : `./${relative}`);
}
