import assert from "node:assert/strict";
import { isRecordId, newRecordId } from "./record_id.ts";

Deno.test("ids made one after another sort in that order, within a millisecond too", () => {
  const now = Date.now() + 1000;
  const ids = Array.from({ length: 20_000 }, () => newRecordId(now));
  assert.deepEqual(ids, [...ids].sort());
  assert.equal(new Set(ids).size, ids.length);
});

Deno.test("an id made when the clock went back still sorts after the earlier ones", () => {
  const before = newRecordId();
  assert.ok(newRecordId(1000) > before);
});

Deno.test("an id is a UUID of version 7; other text is not", () => {
  assert.match(
    newRecordId(),
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  assert.ok(isRecordId(newRecordId()));
  for (
    const text of ["", "1", crypto.randomUUID(), newRecordId().toUpperCase(), `${newRecordId()}\n`]
  ) {
    assert.ok(!isRecordId(text), text);
  }
});
