import assert from "node:assert/strict";
import { backendInput } from "@/gateway/records/backend.ts";
import { validate } from "@/gateway/records/validate.ts";
import { entrances, entrancesBefore, ownPagesAt, unreachedPrefixes } from "./unreached.ts";

const backend = (name: string, frontend_host: string, ...prefixes: string[]) =>
  validate(backendInput, {
    name,
    frontend_host,
    servers: [{ host: "10.0.0.1", port: 80 }],
    url_matches: prefixes.map((frontend_prefix) => ({ frontend_prefix })),
  });
const written = (frontend_host: string, ...prefixes: string[]) => ({
  frontend_host,
  url_matches: prefixes.map((frontend_prefix) => ({ frontend_prefix })),
});

Deno.test("a prefix at or below Portico's own pages is not reached", () => {
  assert.equal(ownPagesAt("/admin/"), "/admin/");
  assert.equal(ownPagesAt("/admin"), "/admin/");
  assert.equal(ownPagesAt("/%61dmin/reports/"), "/admin/");
  assert.equal(ownPagesAt("/signup/x"), "/signup/");
});

Deno.test("a prefix that only begins like Portico's own pages is reached, and so is all below /", () => {
  assert.equal(ownPagesAt("/administration/"), null);
  assert.equal(ownPagesAt("/"), null);
});

Deno.test("a prefix that an earlier backend has under the same host is not reached", () => {
  const earlier = entrances([backend("First", "*", "/a/", "/b/")], []);
  assert.deepEqual(unreachedPrefixes(written("", "/%62/", "/c/"), earlier), [
    { prefix: "/%62/", taker: { kind: "backend", name: "First" } },
  ]);
});

Deno.test("a longer prefix than the earlier backend's is reached", () => {
  const earlier = entrances([backend("First", "*", "/a/")], []);
  assert.deepEqual(unreachedPrefixes(written("*", "/a/b/"), earlier), []);
});

Deno.test("an earlier backend takes a prefix from every host that its own pattern stands for", () => {
  const isTaken = (earlierHost: string, host: string) =>
    unreachedPrefixes(written(host, "/x/"), entrances([backend("a", earlierHost, "/x/")], []))
      .length > 0;
  assert.ok(isTaken("*", "api.example.com"));
  assert.ok(isTaken("API.example.com:8080", "api.example.com"));
  assert.ok(isTaken("*.example.com", "api.example.com"));
  assert.ok(isTaken(".example.com", "example.com"));
  assert.ok(isTaken(".example.com", "*.example.com"));
  assert.ok(!isTaken("*.example.com", ".example.com"));
  assert.ok(!isTaken("*.example.com", "example.com"));
  assert.ok(!isTaken("api.example.com", "*"));
  assert.ok(!isTaken("a.example.com", "b.example.com"));
});

Deno.test("a prefix that is not written yet is no reason to warn", () => {
  assert.deepEqual(unreachedPrefixes(written("*", "", "x"), []), []);
});

Deno.test("the file's backends come before all drafts, and drafts in the order they were created", () => {
  const draft = (name: string, created_order: number) => ({
    ...backend(name, "*", "/x/"),
    ...{ id: name, version: 1, created_order },
    ...{ created_at: "", created_by: "", updated_at: "", updated_by: "" },
  });
  const [first, second] = [draft("first", 1), draft("second", 2)];
  const all = entrances([backend("file", "*", "/x/")], [second, first]);
  const names = (of: typeof first | null) =>
    entrancesBefore(of, all).map(({ name }) => name).sort();
  assert.deepEqual(names(first), ["file"]);
  assert.deepEqual(names(second), ["file", "first"]);
  assert.deepEqual(names(null), ["file", "first", "second"]);
});
