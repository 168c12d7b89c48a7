import assert from "node:assert/strict";
import { type Backend, backendInput } from "@/gateway/records/backend.ts";
import { validate } from "@/gateway/records/validate.ts";
import type { Change } from "@/gateway/publish/publishing.ts";
import { listedBackends, searched, sorted } from "./listing.ts";

const input = (name: string, prefix = `/${name.toLowerCase()}/`) =>
  validate(backendInput, {
    name,
    servers: [{ host: "10.0.0.5", port: 80 }, { host: "10.0.0.6", port: 80 }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
  });

const stored = (name: string): Backend => ({
  ...input(name),
  id: name,
  version: 1,
  created_order: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  created_by: "ada",
  updated_at: "2026-01-01T00:00:00.000Z",
  updated_by: "ada",
});

const change = (id: string, kind: Change["change"]): Change => ({
  id,
  kind: "backend",
  name: id,
  change: kind,
  fields: [],
  changed_at: "2026-01-01T00:00:00.000Z",
  changed_by: "ada",
});

const rows = listedBackends({
  drafts: [stored("Weather"), stored("Maps"), stored("Trains")],
  live: [stored("Weather"), stored("Maps"), stored("Gone")],
  changes: [change("Maps", "modified"), change("Trains", "new"), change("Gone", "deleted")],
  fixed: [input("Fixed")],
});

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);

Deno.test("the list tells what is live, changed, new and deleted", () => {
  assert.deepEqual(
    rows.map(({ name, status }) => [name, status]),
    [
      ["Weather", "live"],
      ["Maps", "changed"],
      ["Trains", "new"],
      ["Gone", "deleted"],
      ["Fixed", "live"],
    ],
  );
});

Deno.test("a backend of the configuration file is there, without an id to edit it by", () => {
  assert.deepEqual(rows.filter(({ id }) => id === null).map(({ name }) => name), ["Fixed"]);
});

Deno.test("the upstream is the first server and the number of others", () => {
  assert.equal(rows[0]?.upstream, "http://10.0.0.5:80 and 1 more");
});

Deno.test("a search finds rows that hold every word, in any column", () => {
  assert.deepEqual(names(searched(rows, "MAPS 10.0.0.5")), ["Maps"]);
  assert.deepEqual(names(searched(rows, "/trains/")), ["Trains"]);
  assert.deepEqual(names(searched(rows, "deleted")), ["Gone"]);
  assert.equal(searched(rows, "  ").length, rows.length);
  assert.deepEqual(searched(rows, "maps trains"), []);
});

Deno.test("rows are sorted by a column, and among equals by name", () => {
  assert.deepEqual(
    names(sorted(rows, { key: "status", descending: false })),
    ["Trains", "Maps", "Gone", "Fixed", "Weather"],
  );
  const counted = rows.map((row) => ({ ...row, calls: row.name === "Maps" ? [3, 4] : null }));
  assert.equal(sorted(counted, { key: "calls", descending: true })[0]?.name, "Maps");
});
