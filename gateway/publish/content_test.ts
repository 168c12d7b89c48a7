import assert from "node:assert/strict";
import type { Content } from "./content.ts";
import { DamagedContent, packContent, unpackContent } from "./content.ts";

const content: Content = {
  backends: [],
  website_backends: [{
    id: "id-1",
    created_order: 1,
    frontend_host: "www.example.org",
    backend_protocol: "http",
    server_host: "10.0.0.9",
    server_port: 80,
    created_at: "2030-01-01T00:00:00.000Z",
    created_by: "jane",
    updated_at: "2030-01-01T00:00:00.000Z",
    updated_by: "jane",
    version: 1,
  }],
};

Deno.test("content comes back as it was packed", async () => {
  assert.deepEqual(await unpackContent(await packContent(content)), content);
});

Deno.test("content from before there were websites is a list of API backends", async () => {
  const stored = await packed(JSON.stringify([{ id: "id-1", name: "Weather" }]));
  assert.deepEqual(await unpackContent(stored), {
    backends: [{ id: "id-1", name: "Weather" }],
    website_backends: [],
  });
});

Deno.test("content that is not whole is told as damaged", async () => {
  const { digest } = await packContent(content);
  await assert.rejects(unpackContent({ pieces: [], digest }), DamagedContent);
});

/** As an earlier version of Portico packed it. */
async function packed(text: string) {
  const gzip = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  const piece = await new Response(gzip).bytes();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", piece)).toHex();
  return { pieces: [piece], digest };
}
