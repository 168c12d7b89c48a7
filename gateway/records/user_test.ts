import assert from "node:assert/strict";
import { fieldErrors } from "./validate.ts";
import { userInput } from "./user.ts";

const person = { email: "ada@example.org", first_name: "Ada", last_name: "Caller" };

function nested(levels: number): unknown {
  return levels === 0 ? "text" : { inner: nested(levels - 1) };
}

Deno.test("metadata are nested as deep as can be stored", () => {
  const errors = (levels: number) =>
    fieldErrors(userInput, { ...person, metadata: nested(levels) });
  assert.deepEqual(errors(32), []);
  assert.deepEqual(errors(33).map(({ field }) => field), ["metadata"]);
  assert.deepEqual(errors(5000).map(({ field }) => field), ["metadata"]);
});

Deno.test("a key expires at a moment that there is", () => {
  const isTaken = (expires_at: string) =>
    fieldErrors(userInput, { ...person, expires_at }).length === 0;
  for (const time of ["2028-02-29T00:00:00Z", "2026-12-31T23:59+01:00"]) {
    assert.ok(isTaken(time), time);
  }
  for (const time of ["2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z"]) {
    assert.ok(!isTaken(time), time);
  }
});

Deno.test("metadata are an object, not a list", () => {
  const [error] = fieldErrors(userInput, { ...person, metadata: ["a"] });
  assert.deepEqual([error?.field, error?.message], ["metadata", "must be an object, not a list"]);
});
