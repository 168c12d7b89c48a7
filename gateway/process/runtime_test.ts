import assert from "node:assert/strict";
import { OLDEST_DENO, runtimeProblem } from "./runtime.ts";

Deno.test("an older Deno is refused, with what to do", () => {
  for (const version of ["2.9.5", "2.8.9", "1.46.3", "2.9.6-rc.1"]) {
    const problem = runtimeProblem(version) ?? "";
    assert.match(problem, new RegExp(`this is Deno ${version}`));
    assert.match(problem, new RegExp(`npx -y deno@${OLDEST_DENO} task start`));
  }
});

Deno.test("the pinned Deno and newer ones will do", () => {
  for (const version of [OLDEST_DENO, "2.9.10", "2.10.0", "3.0.0-rc.1", "2.9.6+abc-1"]) {
    assert.equal(runtimeProblem(version), null, version);
  }
});
