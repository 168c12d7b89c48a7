import assert from "node:assert/strict";
import { apiKeyPreview, generateApiKey } from "./api_key.ts";
import { PreviewFilter } from "./preview_filter.ts";

Deno.test("a filter holds every key that was added, in whichever isolate, and hardly any other", () => {
  const filter = new PreviewFilter();
  const keys = Array.from({ length: 20_000 }, generateApiKey);
  for (const key of keys) filter.add(apiKeyPreview(key));
  const reader = new PreviewFilter(filter.memory);
  assert.ok(keys.every((key) => reader.mayHold(key)));
  const invented = Array.from({ length: 20_000 }, generateApiKey);
  // About 1 in 180,000 is expected to pass.
  assert.ok(invented.filter((key) => reader.mayHold(key)).length < 20);
});
