import assert from "node:assert/strict";
import * as fc from "fast-check";
import { parseFilter } from "@/gateway/logs/filter.ts";
import { logFields } from "@/gateway/records/log_row.ts";
import { fieldGroups } from "./field_names.ts";
import {
  exampleValue,
  filterValue,
  isApplicable,
  type LogFilter,
  type Operator,
  operators,
  operatorsOf,
  parseFilterValue,
  standsAlone,
} from "./filter_syntax.ts";

const parsed = (field: LogFilter["field"], text: string) => {
  const { operator, value } = parseFilterValue(field, text) ?? {};
  return [operator, value];
};

Deno.test("what the URL says is told in words", () => {
  assert.deepEqual(parsed("response_status", "403"), ["is", "403"]);
  assert.deepEqual(parsed("response_status", "!4xx"), ["is_not", "4xx"]);
  assert.deepEqual(parsed("response_time", ">=500"), ["at_least", "500"]);
  assert.deepEqual(parsed("response_time", "10..20"), ["is", "10..20"]);
  assert.deepEqual(parsed("request_path", "/v1/*"), ["begins_with", "/v1/"]);
  assert.deepEqual(parsed("request_user_agent", "!*bot*"), ["not_contains", "bot"]);
  assert.deepEqual(parsed("user_id", "!*"), ["is_not_set", ""]);
  assert.deepEqual(parsed("request_path", "/a*/b"), ["matches", "/a*/b"]);
  assert.deepEqual(parsed("request_path", ">=1"), ["is", ">=1"], "text is not compared");
  assert.equal(parseFilterValue("request_path", ""), null);
});

Deno.test("what somebody types for text means itself, asterisks and all", () => {
  const value = "*!\\";
  const text = filterValue({ field: "request_path", operator: "is", value });
  const filter = parseFilter("request_path", [text]);
  assert.equal(filter?.test(value), true);
  assert.equal(filter?.test("anything else"), false);
});

Deno.test("each operator picks the rows that its words say", () => {
  const passes = (operator: Operator, value: string, cell: string | null) =>
    parseFilter("user_email", [filterValue({ field: "user_email", operator, value })])?.test(cell);
  assert.equal(passes("begins_with", "a@", "a@b.c"), true);
  assert.equal(passes("not_begins_with", "a@", "a@b.c"), false);
  assert.equal(passes("contains", "@", "a@b.c"), true);
  assert.equal(passes("is_not", "x", "a@b.c"), true);
  assert.equal(passes("is_set", "", null), false);
  assert.equal(passes("is_not_set", "", null), true);
  assert.equal(passes("not_matches", "a*c", "a@b.c"), false);
});

Deno.test("every filter comes back from the URL as it was made", () => {
  const literal: Operator[] = ["is", "is_not", "begins_with", "contains", "not_contains"];
  fc.assert(
    fc.property(
      fc.constantFrom(...literal),
      fc.string({ unit: "binary", minLength: 1 }),
      (operator, value) => {
        const filter: LogFilter = { field: "request_path", operator, value };
        assert.deepEqual(parseFilterValue("request_path", filterValue(filter)), filter);
      },
    ),
  );
});

Deno.test("only numbers and times are compared", () => {
  assert.equal(isApplicable("response_time", "above"), true);
  assert.equal(isApplicable("request_path", "above"), false);
  assert.equal(isApplicable("request_path", "contains"), true);
});

Deno.test("every operator but two takes a value", () => {
  const alone = Object.keys(operators).filter((it) => standsAlone(it as Operator));
  assert.deepEqual(alone, ["is_set", "is_not_set"]);
});

Deno.test("every field can be chosen, in one place", () => {
  const grouped = fieldGroups.flatMap(({ fields }) => fields);
  assert.deepEqual(grouped.toSorted(), logFields.toSorted());
});

Deno.test("of each field is offered what can be asked of it, with an example that can be", () => {
  for (const field of logFields) {
    for (const operator of operatorsOf(field)) {
      assert.ok(isApplicable(field, operator), `${field} ${operator}`);
      for (const value of exampleValue(field, operator).split(" or ")) {
        parseFilter(field, [filterValue({ field, operator, value })]);
      }
    }
  }
  assert.ok(!operatorsOf("response_time").includes("contains"));
  assert.equal(exampleValue("response_status", "is"), "403 or 4xx");
});
