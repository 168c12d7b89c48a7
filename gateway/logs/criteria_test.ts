import assert from "node:assert/strict";
import { Fault } from "../faults.ts";
import { parseCriteria } from "./criteria.ts";

function errorsOf(query: string): [field: string | undefined, message: string][] {
  try {
    parseCriteria(new URLSearchParams(query));
  } catch (error) {
    assert.ok(error instanceof Fault);
    assert.equal(error.status, 422);
    return error.errors.map(({ field, message }) => [field, message]);
  }
  return [];
}

Deno.test("no parameters ask for everything, a hundred rows a page", () => {
  assert.deepEqual(parseCriteria(new URLSearchParams()), {
    startAt: null,
    endAt: null,
    filters: [],
    limit: 100,
    after: null,
  });
});

Deno.test("the empty fields of a form ask for nothing", () => {
  const empty = new URLSearchParams(
    "start_at=&end_at=&limit=&cursor=&user_email=&response_status=",
  );
  assert.deepEqual(parseCriteria(empty), parseCriteria(new URLSearchParams()));
});

Deno.test("a parameter that is no field is refused, with the nearest one named", () => {
  assert.deepEqual(errorsOf("response_stats=200"), [
    ["response_stats", 'is not a known filter, did you mean "response_status"?'],
  ]);
  assert.deepEqual(errorsOf("xyzzy=1"), [["xyzzy", "is not a known filter"]]);
});

Deno.test("every bad parameter is named at once", () => {
  const query = "start_at=yesterday&end_at=2026-03-01T10:00&limit=0&cursor=zzz" +
    "&response_status=ok&request_size=big&statuss=1";
  assert.deepEqual(errorsOf(query).map(([field]) => field), [
    "statuss",
    "start_at",
    "end_at",
    "limit",
    "cursor",
    "request_size",
    "response_status",
  ]);
});

Deno.test("limits are whole numbers from 1 to 1000", () => {
  for (const limit of ["1001", "-1", "1.5", "ten", "1e2"]) {
    assert.deepEqual(errorsOf(`limit=${limit}`).map(([field]) => field), ["limit"], limit);
  }
  assert.equal(parseCriteria(new URLSearchParams("limit=1000")).limit, 1000);
});

Deno.test("a range must not end before it starts, nor have two starts", () => {
  assert.deepEqual(errorsOf("start_at=2026-03-02&end_at=2026-03-01"), [
    ["end_at", "must not be before start_at"],
  ]);
  assert.deepEqual(errorsOf("start_at=2026-03-02&start_at=2026-03-01"), [
    ["start_at", "must be given once"],
  ]);
});
