// What a build knows about an app: its routes, islands and static files. The
// build writes it to `_fresh/snapshot.js`; `applySnapshot` hands it to the app.
import { setBuildId } from "../runtime/asset.ts";
import type { Island, Mode } from "./types.ts";

/** A module below `routes/`. */
export interface FileRoute {
  /** Path below `routes/`, with `/` between parts. */
  readonly file: string;
  /** Its exports, or for a lazy one, a function that loads them. */
  readonly module: unknown;
  /** Whether it is loaded on its first hit. */
  readonly lazy: boolean;
}

/** A module with islands: every function it exports is one. */
export interface IslandModule {
  readonly name: string;
  readonly module: unknown;
  /** The bundle of the module, a URL below the base path. */
  readonly url: string;
  /** The bundles `url` imports. */
  readonly preload: readonly string[];
}

export interface StaticFile {
  /** Path below the project folder, or the content itself in a build that is only in memory. */
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** SHA-256 of the content, hexadecimal. */
  readonly hash: string;
  /** Named by its build, so that its URL never shows anything else. */
  readonly immutable: boolean;
}

/** A build, as it is written. */
export interface SnapshotSource {
  readonly buildId: string;
  readonly mode: Mode;
  /** The project folder, an absolute path that ends in a separator. */
  readonly root: string;
  readonly routes: readonly FileRoute[];
  readonly islands: readonly IslandModule[];
  /** The bundles every page with islands starts from; the first is the script itself. */
  readonly bootScripts: readonly string[];
  /** In development: the script that reloads the page after a change. */
  readonly reloadScript: string | null;
  /** By decoded URL path below the base path. */
  readonly staticFiles: Readonly<Record<string, StaticFile>>;
}

/** A build, as it is used. */
export interface Snapshot extends Omit<SnapshotSource, "islands" | "staticFiles"> {
  /** By component. */
  readonly islands: ReadonlyMap<unknown, Island>;
  readonly staticFiles: ReadonlyMap<string, StaticFile>;
  /** Different each time a snapshot is applied: tells a page of a restart in development. */
  readonly revision: string;
}

const snapshots = new WeakMap<object, Snapshot>();

/** Gives `app` its build. Comes before `app.handler()`. */
export function applySnapshot(app: object, source: SnapshotSource): void {
  snapshots.set(app, {
    ...source,
    islands: new Map(source.islands.flatMap(islandsOf)),
    staticFiles: new Map(Object.entries(source.staticFiles)),
    revision: crypto.randomUUID(),
  });
  setBuildId(source.buildId);
}

/** The build of `app`, or null for one that has only what its code registers. */
export function snapshotOf(app: object): Snapshot | null {
  return snapshots.get(app) ?? null;
}

function islandsOf({ name, module, url, preload }: IslandModule): [unknown, Island][] {
  return Object.entries(Object(module)).filter(([, value]) => typeof value === "function").map(
    ([exportName, component]) => [component, {
      name: exportName === "default" ? name : `${name}.${exportName}`,
      exportName,
      url,
      preload,
    }],
  );
}
