// Building the web pages, and developing them.
//
//   deno run dev.ts build             builds `_fresh/`, unless it is up to date
//   deno run dev.ts [--config PATH]   builds `_fresh_dev/`, starts Portico, and ends with code
//                                     75 when a source changes: `bin/portico dev` starts it anew
//
// Each has its folder, so that developing leaves alone what a server is serving.
import { Builder } from "fresh/dev";
import { join } from "node:path";

/** What `bin/portico dev` knows a change by: "try again" (EX_TEMPFAIL of sysexits.h). */
const SOURCE_CHANGED = 75;

const DEV_FOLDER = "_fresh_dev";

const root = import.meta.dirname ?? Deno.cwd();

/** All that the running program is made of. */
const sources = [
  ...["components", "fresh", "gateway", "islands", "routes", "static"],
  ...["define.ts", "deno.json", "main.ts", "web.ts"],
].map((name) => join(root, name));

if (Deno.args[0] === "build") await builder("_fresh").build();
else await develop();

function builder(outDir: string): Builder {
  return new Builder({ root, outDir, serverEntry: "web.ts" });
}

async function develop(): Promise<never> {
  const changed = sourceChange().then(() => Deno.exit(SOURCE_CHANGED));
  try {
    await builder(DEV_FOLDER).build({ mode: "development" });
    const { start, startError } = await import("./main.ts");
    await start(Deno.args, DEV_FOLDER).catch((error) => {
      throw startError(error);
    });
  } catch (error) {
    console.error("portico: waits for a change, because it could not start:", error);
    return await changed;
  }
  Deno.exit(0);
}

/** Resolves when a source is not what it was; tests are none. */
async function sourceChange(): Promise<void> {
  for await (const { kind, paths } of Deno.watchFs(sources)) {
    if (kind !== "access" && paths.some((path) => !/_test\.tsx?$/.test(path))) return;
  }
}
