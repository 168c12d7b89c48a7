import assert from "node:assert/strict";
import fc from "fast-check";
import { type Placed, RouteTable } from "./route_table.ts";

interface Entry extends Placed {
  readonly host: string;
}

function tableOf(entries: readonly Entry[]): RouteTable<Entry> {
  const table = new RouteTable<Entry>();
  for (const entry of entries) table.add(entry.host, entry);
  return table;
}

const entry = (order: number, host: string, frontendPrefix: string): Entry => (
  { order, host, frontendPrefix }
);

Deno.test("the longest prefix wins, even over a more specific host", () => {
  const table = tableOf([entry(0, "a.example", "/v1/"), entry(1, "*", "/v1/things/")]);
  assert.equal(table.find("a.example", "/v1/things/7")?.order, 1);
  assert.equal(table.find("a.example", "/v1/other")?.order, 0);
  assert.equal(table.find("b.example", "/v1/other"), undefined);
});

Deno.test("equally long prefixes go to the backend that was created first", () => {
  const table = tableOf([entry(0, "*", "/v1/"), entry(1, "a.example", "/v1/")]);
  assert.equal(table.find("a.example", "/v1/x")?.order, 0);
});

Deno.test("a prefix is plain text: /foo matches /foobar, /foo/ does not match /foo", () => {
  const table = tableOf([entry(0, "*", "/foo"), entry(1, "*", "/bar/")]);
  assert.equal(table.find("h", "/foobar")?.order, 0);
  assert.equal(table.find("h", "/bar"), undefined);
  assert.equal(table.find("h", "/FOO"), undefined);
});

Deno.test("*.x holds subdomains at any depth but not x; .x holds both", () => {
  const star = tableOf([entry(0, "*.a.example", "/")]);
  const dot = tableOf([entry(0, ".a.example", "/")]);
  for (
    const [host, inStar, inDot] of [
      ["b.a.example", true, true],
      ["c.b.a.example", true, true],
      ["a.example", false, true],
      ["xa.example", false, false],
      ["a.example.evil", false, false],
    ] as const
  ) {
    assert.equal(star.find(host, "/") !== undefined, inStar, host);
    assert.equal(dot.find(host, "/") !== undefined, inDot, host);
  }
});

Deno.test("property: the table finds what a scan over all routes finds", () => {
  const host = fc.constantFrom("*", "a.x", "*.x", ".x", "b.a.x", "*.a.x");
  const prefix = fc.array(fc.constantFrom("/", "a", "b", "ab", "é"), { maxLength: 4 })
    .map((pieces) => "/" + pieces.join(""));
  const asked = fc.record({ host: fc.constantFrom("a.x", "x", "b.a.x", "y"), path: prefix });
  fc.assert(fc.property(
    fc.array(fc.tuple(host, prefix), { maxLength: 12 }),
    asked,
    (rows, { host, path }) => {
      const entries = rows.map(([pattern, prefix], order) => entry(order, pattern, prefix));
      const found = tableOf(entries).find(host, path);
      assert.equal(found?.order, scan(entries, host, path)?.order);
    },
  ));
});

function scan(entries: readonly Entry[], host: string, path: string): Entry | undefined {
  let best: Entry | undefined;
  for (const candidate of entries) {
    if (!path.startsWith(candidate.frontendPrefix) || !hostMatches(candidate.host, host)) continue;
    if (best === undefined || candidate.frontendPrefix.length > best.frontendPrefix.length) {
      best = candidate;
    }
  }
  return best;
}

function hostMatches(pattern: string, host: string): boolean {
  if (pattern === "*") return true;
  if (pattern.startsWith("*.")) return host.endsWith(pattern.slice(1));
  if (pattern.startsWith(".")) return host === pattern.slice(1) || host.endsWith(pattern);
  return host === pattern;
}

Deno.test("an exact match is for its path alone, where no prefix is longer", () => {
  const exact: Entry = { ...entry(2, "*", "/v1/status"), exactMatch: true };
  const table = tableOf([entry(0, "*", "/"), entry(1, "*", "/v1/status/"), exact]);
  assert.equal(table.find("a.example", "/v1/status")?.order, 2);
  assert.equal(table.find("a.example", "/v1/status/")?.order, 1);
  assert.equal(table.find("a.example", "/v1/statuses")?.order, 0);
});

Deno.test("of an exact match and a prefix of that length the first one wins", () => {
  const exact = (order: number): Entry => ({ ...entry(order, "*", "/v1"), exactMatch: true });
  assert.equal(tableOf([entry(0, "*", "/v1"), exact(1)]).find("a", "/v1")?.order, 0);
  assert.equal(tableOf([exact(0), entry(1, "*", "/v1")]).find("a", "/v1")?.order, 0);
});
