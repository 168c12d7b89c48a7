// Serves an app in development and builds it again when its files change.
import { existsSync } from "node:fs";
import type { Handler } from "../server/app.ts";
import type { ListenOptions } from "../server/types.ts";

/** An app, whatever its state. */
export interface ServableApp {
  handler(): Handler;
}

interface DevServer {
  readonly app: ServableApp;
  /** Builds the app and gives it the build. */
  readonly build: () => Promise<void>;
  /** Folders whose files call for a new build. */
  readonly watched: readonly string[];
  readonly options: ListenOptions;
}

/** Changes come in bursts: an editor writes, renames and touches in one go. */
const BURST = 50; // ms

/** Serves until `options.signal` aborts. */
export async function serveWithReload({ app, build, watched, options }: DevServer): Promise<void> {
  await build();
  let handler = app.handler();
  const rebuild = async () => {
    try {
      await build();
      handler = app.handler();
    } catch (error) {
      // What was built before goes on being served until the mistake is gone.
      console.error(error);
    }
  };
  const watcher = Deno.watchFs(watched.filter((folder) => existsSync(folder)));
  const server = Deno.serve(options, (req, info) => handler(req, info));
  server.finished.then(() => watcher.close());
  let builds = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const { kind } of watcher) {
    if (kind === "access") continue;
    timer ??= setTimeout(() => {
      timer = undefined;
      builds = builds.then(rebuild);
    }, BURST);
  }
  clearTimeout(timer);
  await builds;
  await server.finished;
}
