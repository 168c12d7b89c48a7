/** One bench at a time: two on the same cores would measure each other. */
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Waits until no other bench runs on this machine. The turn ends with the process at the latest. */
export async function ownTurn(): Promise<Disposable> {
  const path = join(tmpdir(), "portico-bench.lock");
  const file = await Deno.open(path, { write: true, create: true, mode: 0o666 });
  if (!await file.tryLock(true)) {
    console.log("Another bench is running on this machine; waiting for it to end.");
    await file.lock(true);
  }
  return file;
}
