import assert from "node:assert/strict";
import { openFiles } from "./open_files.ts";

Deno.test("each socket that is opened counts, until it is closed", () => {
  const before = openFiles();
  const sockets = Array.from(
    { length: 300 },
    () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  );
  const within = openFiles() - before;
  for (const socket of sockets) socket.close();
  const after = openFiles() - before;
  // Other tests of this process open and close files as well.
  assert.ok(Math.abs(within - 300) < 100, String(within));
  assert.ok(Math.abs(after) < 100, String(after));
});

Deno.test("files are counted beyond the gaps that closed ones have left", () => {
  const sockets = Array.from(
    { length: 300 },
    () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  );
  const before = openFiles();
  for (const socket of sockets.splice(0, 40)) socket.close();
  const gaps = openFiles() - before;
  for (const socket of sockets) socket.close();
  assert.ok(Math.abs(gaps + 40) < 100, String(gaps));
});
