import assert from "node:assert/strict";
import { headerChanges } from "./header_changes.ts";

Deno.test("headers are told in the order they go out, then those that do not", () => {
  assert.deepEqual(
    headerChanges(
      { "X-Gone": "1", Accept: "*/*", Host: "a.example" },
      { host: "b.example", accept: "*/*", "x-new": "2" },
    ),
    [
      { name: "host", before: "a.example", after: "b.example" },
      { name: "accept", before: "*/*", after: "*/*" },
      { name: "x-new", before: null, after: "2" },
      { name: "x-gone", before: "1", after: null },
    ],
  );
});
