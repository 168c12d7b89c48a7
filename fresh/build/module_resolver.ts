// Finds the file behind an import in browser code: through the import maps in
// deno.json, and for packages in Deno's own npm cache, which has no node_modules
// that a bundler could search. Packages are read as modules, so that no read
// permission beyond the project is needed.
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** A file of browser code. */
export interface ResolvedModule {
  readonly path: string;
  /** Whether it belongs to the project (or to fresh) rather than to a package. */
  readonly isSource: boolean;
}

/** A folder whose modules see the import map in its deno.json. */
interface ImportScope {
  readonly folder: string;
  readonly imports: Record<string, string>;
}

const FRESH_FOLDER = dirname(dirname(fileURLToPath(import.meta.url)));
const FRESH_PACKAGE = "@fresh/core";

/** Which of a package's exports browser code gets, in the order a package may name them. */
const CONDITIONS = new Set(["browser", "import", "module", "default"]);

export class ModuleResolver {
  readonly #scopes: readonly ImportScope[];
  readonly #freshExports: Record<string, string>;

  private constructor(scopes: readonly ImportScope[], freshExports: Record<string, string>) {
    this.#scopes = scopes;
    this.#freshExports = freshExports;
  }

  /** A resolver for the project in `root`, whose deno.json is there or above. */
  static async open(root: string): Promise<ModuleResolver> {
    const fresh = await readConfig(FRESH_FOLDER);
    const folder = await configFolder(root);
    const project = await readConfig(folder);
    return new ModuleResolver([
      { folder: FRESH_FOLDER, imports: fresh.imports ?? {} },
      { folder, imports: project.imports ?? {} },
    ], fresh.exports ?? {});
  }

  /**
   * The file that `specifier` means in `importer`.
   * @throws Error that names both, when there is none
   */
  async resolve(specifier: string, importer: ResolvedModule): Promise<ResolvedModule> {
    if (/^\.{0,2}\//.test(specifier)) {
      return { path: join(dirname(importer.path), specifier), isSource: importer.isSource };
    }
    if (specifier.startsWith("file:")) {
      return { path: fileURLToPath(specifier), isSource: importer.isSource };
    }
    if (!importer.isSource) return await this.#fromPackage(specifier, importer.path);
    const scope = this.#scopes.find(({ folder }) => importer.path.startsWith(folder));
    const target = mapped(specifier, scope?.imports ?? {}) ?? specifier;
    if (target.startsWith(".") && scope) {
      return { path: join(scope.folder, target), isSource: true };
    }
    if (target.startsWith("npm:")) return await fromRegistry(target);
    const [name, subpath] = splitPackage(target.replace(/^jsr:\/?/, ""));
    const freshFile = name === FRESH_PACKAGE ? this.#freshExports[subpath] : undefined;
    if (freshFile) return { path: join(FRESH_FOLDER, freshFile), isSource: true };
    throw new Error(
      `${importer.path} imports "${specifier}", which browser code cannot have: ` +
        "it is neither a file of the project nor an npm package in deno.json",
    );
  }

  async #fromPackage(specifier: string, importer: string): Promise<ResolvedModule> {
    const [name, subpath] = splitPackage(specifier);
    const manifest = findPackageJSON(name, importer);
    if (!manifest) throw new Error(`${importer} imports "${specifier}", which is not installed`);
    return await exported(manifest, subpath);
  }
}

interface Config {
  imports?: Record<string, string>;
  exports?: Record<string, string>;
}

async function configFolder(folder: string): Promise<string> {
  try {
    await Deno.stat(join(folder, "deno.json"));
    return folder;
  } catch (error) {
    const parent = dirname(folder);
    if (!(error instanceof Deno.errors.NotFound) || parent === folder) throw error;
    return await configFolder(parent);
  }
}

async function readConfig(folder: string): Promise<Config> {
  return JSON.parse(await Deno.readTextFile(join(folder, "deno.json"))) as Config;
}

/** What an import map makes of a specifier; a name also stands for what is inside its package. */
function mapped(specifier: string, imports: Record<string, string>): string | undefined {
  if (imports[specifier]) return imports[specifier];
  for (const [key, value] of Object.entries(imports)) {
    if (key.endsWith("/") && specifier.startsWith(key)) return value + specifier.slice(key.length);
    if (/^(npm|jsr):/.test(value) && specifier.startsWith(`${key}/`)) {
      return value + specifier.slice(key.length);
    }
  }
  return undefined;
}

/** `@scope/name@version/sub/path` as `@scope/name` and `./sub/path`. */
function splitPackage(specifier: string): [name: string, subpath: string] {
  const [, name = specifier, subpath = ""] =
    /^((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/.exec(specifier) ?? [];
  return [name, `.${subpath}`];
}

async function fromRegistry(specifier: string): Promise<ResolvedModule> {
  const [name, subpath] = splitPackage(specifier.slice("npm:".length));
  const manifest = findPackageJSON(name, import.meta.resolve(specifier));
  if (!manifest) throw new Error(`The package of "${specifier}" is missing: run deno install`);
  return await exported(manifest, subpath);
}

interface PackageManifest {
  exports?: unknown;
  module?: string;
  main?: string;
}

/** The file that a package gives to browsers for `subpath`. */
async function exported(manifestPath: string, subpath: string): Promise<ResolvedModule> {
  const manifest = await readPackageManifest(manifestPath);
  const { exports } = manifest;
  const target = exports === undefined
    ? (subpath === "." ? manifest.module ?? manifest.main ?? "index.js" : subpath)
    : chosen(isSubpathMap(exports) ? exports[subpath] : subpath === "." ? exports : undefined);
  if (target === undefined) {
    throw new Error(`${manifestPath} has no export "${subpath}" for browsers`);
  }
  return { path: join(dirname(manifestPath), target), isSource: false };
}

async function readPackageManifest(path: string): Promise<PackageManifest> {
  const module = await import(pathToFileURL(path).href, { with: { type: "json" } });
  return module.default as PackageManifest;
}

function isSubpathMap(exports: unknown): exports is Record<string, unknown> {
  return typeof exports === "object" && exports !== null && "." in exports;
}

/** The first file among nested conditions that browser code may have. */
function chosen(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (typeof target !== "object" || target === null) return undefined;
  for (const [condition, value] of Object.entries(target)) {
    const file = CONDITIONS.has(condition) ? chosen(value) : undefined;
    if (file !== undefined) return file;
  }
  return undefined;
}
