import assert from "node:assert/strict";
import { Store } from "../store/store.ts";
import { CallLog } from "./call_log.ts";

/** Lets a process record until it has reported a number, kills it, and gives that number. */
async function recordAndKill(path: string): Promise<number> {
  const program = new URL("endless_recording.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", program, path],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let written = 0;
  let reports = 0;
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    for (const line of text.split("\n").filter((line) => line !== "")) {
      written = Math.max(written, Number(line));
      reports++;
    }
    if (reports >= 3) break;
  }
  child.kill("SIGKILL");
  await child.status;
  return written;
}

Deno.test("after kill -9 the log opens again and has every call that was written", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/portico.kv`;
  const written = await recordAndKill(path);
  const store = await Store.open(path);
  const log = new CallLog(store, { onProblem: assert.fail });

  const found = new Set<string>();
  let cursor = "";
  let rows = 0;
  do {
    const page = await log.query(new URLSearchParams({ limit: "1000", cursor }));
    for (const { request_id } of page.logs) found.add(request_id);
    rows += page.logs.length;
    cursor = page.next_cursor ?? "";
    assert.equal(page.total, (await log.query(new URLSearchParams("request_id=*"))).total);
  } while (cursor !== "");
  assert.equal(rows, found.size, "no call is there twice");
  for (let index = 0; index < written; index++) assert.ok(found.has(`r-${index}`), `r-${index}`);

  await log.close();
  store.close();
  await Deno.remove(folder, { recursive: true });
});
