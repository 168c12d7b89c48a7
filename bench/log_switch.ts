/** Whether this Portico can be told not to record the calls of a backend. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The setting that does it. */
export const unrecorded = { disable_analytics: true };

/** Asks `portico check-config`. */
export async function canLeaveUnrecorded(folder: string): Promise<boolean> {
  const path = join(folder, "unrecorded.yml");
  await Deno.writeTextFile(path, JSON.stringify({ default_api_backend_settings: unrecorded }));
  const program = fileURLToPath(new URL("../bin/portico", import.meta.url));
  const { success } = await new Deno.Command("sh", {
    args: [program, "check-config", "--config", path],
    env: { DENO: Deno.execPath() },
    stdout: "null",
    stderr: "null",
  }).output();
  return success;
}
