import assert from "node:assert/strict";
import { openFiles } from "./open_files.ts";

Deno.test("each socket that is opened counts, until it is closed", () => {
  const before = openFiles();
  const sockets = Array.from({ length: 50 }, () => Deno.listen({ hostname: "127.0.0.1", port: 0 }));
  const within = openFiles();
  for (const socket of sockets) socket.close();
  assert.ok(within >= before + 50, `${within} after ${before}`);
  assert.ok(openFiles() < within);
});
