import assert from "node:assert/strict";
import { SetHeaders } from "./set_headers.ts";

function set(...headers: [key: string, value: string][]): SetHeaders {
  return new SetHeaders(headers.map(([key, value]) => ({ key, value })));
}

Deno.test("a header that is set replaces all of that name, in any case; others stay", () => {
  const fields = [["x-a", "1"], ["x-b", "2"], ["x-a", "3"]] as const;
  assert.deepEqual(set(["X-A", "new"]).applyTo(fields), [["x-b", "2"], ["x-a", "new"]]);
});

Deno.test("a caller's field that some server would read as one that is set is replaced too", () => {
  const forged = [["x_its_plan", "gold"], ["x.its~plan", "gold"], ["x_gone", "here"]] as const;
  const headers = set(["X-Its-Plan", "free"], ["X-Gone", ""]);
  assert.deepEqual(headers.applyTo([...forged, ["x-its-plans", "other"]]), [
    ["x-its-plans", "other"],
    ["x-its-plan", "free"],
  ]);
});

Deno.test("of two that are set under one name the last holds", () => {
  assert.deepEqual(set(["X-A", "1"], ["x-a", "2"]).applyTo([]), [["x-a", "2"]]);
});

Deno.test("without a value a header is removed, whether it is written so or comes out so", () => {
  const fields = [["x-a", "1"], ["x-b", "2"], ["x-c", "3"], ["x-d", "4"]] as const;
  const headers = set(["x-a", ""], ["x-b", "{{headers.no}}"], ["x-c", " {{headers.no}} "]);
  assert.deepEqual(headers.applyTo(fields), [["x-d", "4"]]);
});

Deno.test("all templates see the headers as they were before any was set", () => {
  const headers = set(["x-a", "{{headers.x-b}}"], ["x-b", "{{headers.x-a}}"]);
  assert.deepEqual(headers.applyTo([["x-a", "1"], ["x-b", "2"]]), [["x-a", "2"], ["x-b", "1"]]);
});

Deno.test("the Host is never removed, and what was saved as no template is sent as it is", () => {
  assert.deepEqual(set(["Host", ""]).applyTo([["host", "a"]]), [["host", "a"]]);
  assert.deepEqual(set(["x-a", "{{what}}"]).applyTo([]), [["x-a", "{{what}}"]]);
});
