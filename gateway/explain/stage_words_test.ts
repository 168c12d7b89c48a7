import assert from "node:assert/strict";
import { callWith } from "../stages/testing.ts";
import { checks } from "../stages/pipeline.ts";
import { stageWords } from "./stage_words.ts";

Deno.test("a check that lets a call pass says why in a sentence", () => {
  const call = callWith({ headers: { "x-api-key": "k" } });
  for (const { name, decide } of checks) {
    const { why } = stageWords[name].tell(call, decide(call, Date.now()));
    assert.match(why, /^[A-Z].*\.$/, name);
  }
});

Deno.test("of missing roles the layer is named that asks for one", () => {
  const { tell } = stageWords.authorize;
  const call = callWith({
    settings: { required_roles: ["read", "write", "own"] },
    holder: { roles: new Set(["read"]) },
  });
  const told = tell(call, null);
  assert.equal(told?.why, "The key lacks the roles “write” and “own”, which are required.");
  assert.equal(told?.rule?.source, "backend");
});
