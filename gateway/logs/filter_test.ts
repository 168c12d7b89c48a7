import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Fault } from "../faults.ts";
import type { LogField } from "../records/log_row.ts";
import type { Cell } from "./column.ts";
import { parseFilter } from "./filter.ts";

function passes(field: LogField, value: string | string[], cell: Cell): boolean {
  const filter = parseFilter(field, [value].flat());
  return filter === null || filter.test(cell);
}

/** One line a case: the filter, what passes, what does not. */
function check(field: LogField, value: string | string[], passing: Cell[], failing: Cell[]): void {
  for (const cell of passing) assert.ok(passes(field, value, cell), `${value} takes ${cell}`);
  for (const cell of failing) assert.ok(!passes(field, value, cell), `${value} leaves ${cell}`);
}

Deno.test("text is compared whole and without regard to case", () => {
  check("request_host", "API.example.com", ["api.example.com"], ["api.example.com.", "", null]);
});

Deno.test("* in text stands for any text", () => {
  check("request_path", "/v1/*", ["/v1/", "/V1/items"], ["/v1", "/v2/v1/", null]);
  check("request_path", "*.json", ["/a.JSON"], ["/a.json5"]);
  check("request_user_agent", "*bot*", ["bot", "a Googlebot/2"], ["bo t"]);
  check("request_path", "/a*b*c", ["/abc", "/a-b-c", "/abbcc"], ["/acb", "/ab"]);
  check("request_path", "ab*ba", ["abba", "ab-ba"], ["aba"]);
  check("request_path", "*a*a*", ["aa", "-a-a-"], ["a"]);
});

Deno.test("* alone is any value, !* none", () => {
  check("user_email", "*", ["a@b.c", ""], [null]);
  check("user_email", "!*", [null], ["a@b.c", ""]);
  check("response_status", "*", [200], [null]);
  check("request_at", "*", [0], [null]);
});

Deno.test("! takes the others, among them those without a value", () => {
  check("user_email", "!a@b.c", ["x@b.c", null], ["a@b.c", "A@B.C"]);
  check("request_path", "!/v1/*", ["/v2/"], ["/v1/x"]);
  check("response_status", "!4xx", [200, 500], [400, 499]);
});

Deno.test("\\ makes *, ! and itself plain", () => {
  check("request_path", "/a\\*", ["/a*"], ["/ab"]);
  check("request_path", "\\!a", ["!a"], ["a", "b"]);
  check("request_path", "a\\\\b", ["a\\b"], ["a\\\\b"]);
  check("request_path", "a\\b", ["a\\b"], ["ab"]);
});

Deno.test("numbers are compared, ranged over, and matched by their digits", () => {
  check("response_status", "403", [403], [40, 4030, null]);
  check("response_time", ">100", [101], [100, null]);
  check("response_time", ">=100", [100], [99]);
  check("response_time", "<1.5", [1], [2]);
  check("response_time", "<=100", [100], [101]);
  check("response_status", "400..499", [400, 450, 499], [399, 500]);
  check("response_status", "500..", [500, 599], [499]);
  check("response_status", "..299", [101, 299], [300]);
  check("response_status", "4*", [4, 404], [204]);
  check("response_status", "5XX", [500, 599], [499, 5]);
});

Deno.test("request_at is compared with ISO 8601 times", () => {
  const noon = Date.UTC(2026, 2, 1, 12);
  check("request_at", "2026-03-01T12:00:00Z", [noon], [noon + 1]);
  check("request_at", ">=2026-03-01", [noon], [noon - 86_400_000]);
  check("request_at", "2026-03-01..2026-03-02T00:00+01:00", [noon], [noon + 86_400_000]);
});

Deno.test("one of several values is enough, but every negated one counts", () => {
  check("response_status", ["403", "5xx"], [403, 502], [404]);
  check("user_id", ["!a", "!b"], ["c", null], ["a", "b"]);
  check("request_path", ["/v1/*", "!*.png"], ["/v1/a"], ["/v1/a.png", "/v2/a"]);
});

Deno.test("empty values filter nothing, as forms send them", () => {
  assert.equal(parseFilter("user_email", [""]), null);
  assert.equal(parseFilter("user_email", []), null);
  check("user_email", ["", "a"], ["a"], ["b"]);
});

Deno.test("what a number cannot be compared with is refused, naming the field", () => {
  for (const value of ["many", "4xy", ">=", "<a", "1..b", "..", "6xx", "!", "0x10", "1e3", " 1"]) {
    assert.throws(() => parseFilter("response_status", [value]), (error) => {
      assert.ok(error instanceof Fault, value);
      assert.deepEqual([error.status, error.errors[0]?.field], [422, "response_status"]);
      return true;
    });
  }
  assert.throws(() => parseFilter("request_size", ["4xx"]), Fault);
  assert.throws(() => parseFilter("request_at", [">=12:00"]), /a date such as/);
});

Deno.test("a pattern agrees with the regular expression it stands for", () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 3 }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(pieces, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 }), (
      pieces,
      text,
    ) => {
      fc.pre(pieces.join("") !== "" || pieces.length > 1);
      const expected = new RegExp(`^${pieces.join(".*")}$`).test(text);
      assert.equal(passes("request_path", pieces.join("*"), text), expected);
    }),
    { numRuns: 500 },
  );
});

Deno.test("a pattern made to be slow is not", () => {
  const test = parseFilter("request_path", ["*a".repeat(2000) + "b"]);
  assert.equal(test?.test("a".repeat(4000)), false);
});
