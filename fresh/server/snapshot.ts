// What a build knows about an app: its routes, islands and static files. The
// build writes it to `_fresh/snapshot.js`; `applySnapshot` hands it to the app.
import { setBuildId } from "../runtime/asset.ts";
import type { Island, Mode } from "./types.ts";

/** A module below `routes/`: loaded with the app, or on its first hit. */
export interface FileRoute {
  /** Path below `routes/`, with `/` between parts. */
  readonly file: string;
  readonly module: unknown | (() => Promise<unknown>);
  readonly lazy: boolean;
}

export interface StaticFile {
  /** Path below the project folder. */
  readonly path: string;
  readonly contentType: string;
  /** SHA-256 of the content, hexadecimal. */
  readonly hash: string;
  /** Named by its content or build, so that its URL never shows anything else. */
  readonly immutable: boolean;
}

export interface Snapshot {
  readonly buildId: string;
  readonly mode: Mode;
  /** The project folder, an absolute path that ends in a separator. */
  readonly root: string;
  readonly routes: readonly FileRoute[];
  /** By component. */
  readonly islands: ReadonlyMap<unknown, Island>;
  /** The bundles every page with islands starts from; the first is the script itself. */
  readonly bootScripts: readonly string[];
  /** By decoded URL path below the base path. */
  readonly staticFiles: ReadonlyMap<string, StaticFile>;
}

const snapshots = new WeakMap<object, Snapshot>();

/** Gives `app` its build. Comes before `app.handler()`. */
export function applySnapshot(app: object, snapshot: Snapshot): void {
  snapshots.set(app, snapshot);
  setBuildId(snapshot.buildId);
}

/** The build of `app`, or null for one that has only what its code registers. */
export function snapshotOf(app: object): Snapshot | null {
  return snapshots.get(app) ?? null;
}
