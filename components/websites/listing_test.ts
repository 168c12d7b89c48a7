import assert from "node:assert/strict";
import type { Change } from "@/gateway/publish/publishing.ts";
import { type WebsiteBackend, websiteBackendInput } from "@/gateway/records/website.ts";
import { validate } from "@/gateway/records/validate.ts";
import { listedWebsites } from "./listing.ts";

function website(id: string, frontend_host: string): WebsiteBackend {
  const at = "2030-01-01T00:00:00.000Z";
  return {
    ...validate(websiteBackendInput, { frontend_host, server_host: "10.0.0.9", server_port: 80 }),
    id,
    created_order: 1,
    created_at: at,
    created_by: "jane",
    updated_at: at,
    updated_by: "jane",
    version: 1,
  };
}

const change = (id: string, change: Change["change"]): Change => ({
  id,
  kind: "website_backend",
  name: "",
  change,
  fields: [],
  changed_at: "",
  changed_by: "",
});

Deno.test("drafts, deleted ones and those of the file are listed by host, with their state", () => {
  const [shop, docs, old] = [website("1", "shop"), website("2", "docs"), website("3", "old")];
  const rows = listedWebsites({
    drafts: [shop, docs],
    live: [shop, old],
    changes: [change("2", "new"), change("3", "deleted")],
    fixed: [website("4", "file")],
  });
  assert.deepEqual(rows.map(({ id, host, status }) => [id, host, status]), [
    ["2", "docs", "new"],
    [null, "file", "live"],
    ["3", "old", "deleted"],
    ["1", "shop", "live"],
  ]);
  assert.equal(rows[0]?.server, "http://10.0.0.9:80");
});
