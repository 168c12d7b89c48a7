import assert from "node:assert/strict";
import { type Backend, backendInput } from "../records/backend.ts";
import { validate } from "../records/validate.ts";
import { type WebsiteBackend, websiteBackendInput } from "../records/website.ts";
import { contentChanges, withChanges } from "./changes.ts";
import { type Content, noContent } from "./content.ts";

let order = 0;

function backend(fields: Record<string, unknown> = {}): Backend {
  const input = validate(backendInput, {
    name: "Weather",
    servers: [{ host: "10.0.0.1", port: 80 }],
    url_matches: [{ frontend_prefix: "/weather/" }],
    ...fields,
  });
  order++;
  return {
    ...input,
    id: `id-${order}`,
    created_order: order,
    created_at: "2030-01-01T00:00:00.000Z",
    created_by: "jane",
    updated_at: "2030-01-01T00:00:00.000Z",
    updated_by: "jane",
    version: 1,
  };
}

const edited = (live: Backend, fields: Partial<Backend>): Backend => ({
  ...live,
  version: live.version + 1,
  updated_at: "2030-01-02T00:00:00.000Z",
  updated_by: "mary",
  ...fields,
});

const none = new Map();

const apis = (...backends: Backend[]): Content => ({ ...noContent, backends });

function website(frontend_host: string): WebsiteBackend {
  const input = { frontend_host, server_host: "10.0.0.9", server_port: 80 };
  const { id, created_order, created_at, created_by, updated_at, updated_by, version } = backend();
  return {
    ...validate(websiteBackendInput, input),
    ...{ id, created_order, created_at, created_by, updated_at, updated_by, version },
  };
}

Deno.test("a draft that is live as it is, is no change", () => {
  const weather = backend();
  assert.deepEqual(contentChanges(apis(weather), apis(weather), none), []);
});

Deno.test("a draft that was changed and changed back is no change", () => {
  const weather = backend();
  assert.deepEqual(contentChanges(apis(edited(weather, {})), apis(weather), none), []);
});

Deno.test("a change names each field by its path, with both values as text", () => {
  const weather = backend({ servers: [{ host: "10.0.0.1", port: 80 }], backend_host: "a.example" });
  const draft = edited(weather, {
    servers: [{ host: "10.0.0.1", port: 8080 }, { host: "10.0.0.2", port: 80 }],
    backend_host: null,
    settings: { ...weather.settings, disable_api_key: true, required_roles: ["beta"] },
  });
  assert.deepEqual(contentChanges(apis(draft), apis(weather), none), [{
    id: weather.id,
    kind: "backend",
    name: "Weather",
    change: "modified",
    fields: [
      { path: "servers[0].port", before: "80", after: "8080" },
      { path: "servers[1].host", before: null, after: "10.0.0.2" },
      { path: "servers[1].port", before: null, after: "80" },
      { path: "settings.required_roles[0]", before: null, after: "beta" },
      { path: "settings.disable_api_key", before: null, after: "true" },
      { path: "backend_host", before: "a.example", after: null },
    ],
    changed_at: "2030-01-02T00:00:00.000Z",
    changed_by: "mary",
  }]);
});

Deno.test("a new draft has no values before, a deleted one none after", () => {
  const [live, draft] = [backend({ name: "Old" }), backend({ name: "New" })];
  const removals = new Map([[live.id, {
    removed_at: "2030-01-03T00:00:00.000Z",
    removed_by: "sue",
  }]]);
  const [added, deleted] = contentChanges(apis(draft), apis(live), removals);
  assert.equal(added?.change, "new");
  assert.deepEqual(added.fields[0], { path: "name", before: null, after: "New" });
  assert.ok(added.fields.every((field) => field.before === null));
  assert.equal(deleted?.change, "deleted");
  assert.ok(deleted.fields.every((field) => field.after === null));
  assert.equal(deleted.changed_at, "2030-01-03T00:00:00.000Z");
  assert.equal(deleted.changed_by, "sue");
});

Deno.test("who changed it, when, and the version are no changes", () => {
  const paths =
    contentChanges(apis(backend()), apis(), none)[0]?.fields.map((field) => field.path) ?? [];
  for (const stamp of ["id", "version", "created_at", "created_order", "updated_by"]) {
    assert.ok(!paths.includes(stamp), stamp);
  }
});

Deno.test("chosen changes are taken from the drafts, all else stays as it was live", () => {
  const [kept, changed, deleted] = [backend(), backend(), backend()];
  const [draft, added, left] = [edited(changed, { name: "X" }), backend(), backend()];
  const live = [kept, changed, deleted];
  const drafts = [edited(kept, { name: "not chosen" }), draft, added, left];
  assert.deepEqual(
    withChanges(apis(...live), apis(...drafts), new Set([changed.id, deleted.id, added.id])),
    apis(kept, draft, added),
  );
});

Deno.test("what is live stays in the order of creation", () => {
  const [first, second, third] = [backend(), backend(), backend()];
  assert.deepEqual(
    withChanges(apis(second, third), apis(first, second, third), new Set([first.id])),
    apis(first, second, third),
  );
});

Deno.test("a website backend is called by its host, and chosen like an API backend", () => {
  const [weather, home, docs] = [backend(), website("*"), website("docs.example.org")];
  const drafts: Content = { backends: [weather], website_backends: [home, docs] };
  const changes = contentChanges(drafts, noContent, none);
  assert.deepEqual(changes.map(({ kind, name }) => [kind, name]), [
    ["backend", "Weather"],
    ["website_backend", "*"],
    ["website_backend", "docs.example.org"],
  ]);
  assert.deepEqual(
    withChanges(noContent, drafts, new Set([docs.id])),
    { backends: [], website_backends: [docs] },
  );
});
