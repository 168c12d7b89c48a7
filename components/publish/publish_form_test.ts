import assert from "node:assert/strict";
import type { Change } from "@/gateway/publish/publishing.ts";
import { changedSince, readPublishForm, seenValue } from "./publish_form.ts";

const change = (id: string, changed_at = "2026-01-01T00:00:00.000Z"): Change => ({
  id,
  kind: "backend",
  name: id,
  change: "modified",
  fields: [],
  changed_at,
  changed_by: "ada",
});

const shown = [change("a"), change("b")];
const form = (ids: readonly string[]) =>
  readPublishForm({
    ...Object.fromEntries(ids.map((id, index) => [`ids[${index}]`, id])),
    ...Object.fromEntries(shown.map((it, index) => [`seen[${index}]`, seenValue(it)])),
    note: "why",
    live_version: "7",
  });

Deno.test("the form tells what was chosen, why, and on which version", () => {
  const { ids, note, liveVersion } = form(["b"]);
  assert.deepEqual([ids, note, liveVersion], [["b"], "why", 7]);
});

Deno.test("a form without boxes chooses nothing", () => {
  const { ids, liveVersion } = readPublishForm({ note: "" });
  assert.deepEqual([ids, liveVersion], [[], null]);
});

Deno.test("a chosen change that was made anew since it was shown is told", () => {
  const later = [change("a", "2026-01-01T00:00:09.000Z"), change("b")];
  assert.deepEqual(changedSince(form(["a", "b"]), later).map(({ id }) => id), ["a"]);
});

Deno.test("what was not chosen may have changed", () => {
  const later = [change("a", "2026-01-01T00:00:09.000Z"), change("b")];
  assert.deepEqual(changedSince(form(["b"]), later), []);
});

Deno.test("a form that does not say what was shown is taken as it is", () => {
  assert.deepEqual(changedSince(readPublishForm({ "ids[0]": "a" }), shown), []);
});
