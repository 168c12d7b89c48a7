import assert from "node:assert/strict";
import { fault } from "@/gateway/store/testing.ts";
import { addedFilterUrl, logQuery, readLogSearch } from "./log_search.ts";
import * as urls from "./log_urls.ts";

const now = Date.parse("2026-03-10T12:00:00Z");
const search = (query: string) => readLogSearch(new URL(`http://x/admin/logs?${query}`), now);
const params = (query: string) => new URLSearchParams(query);

Deno.test("the log is asked for the range and the filters, not for what only the page knows", () => {
  const query = logQuery(search("range=1h&response_status=403&entry=r-1&cursor=abc&user_id="));
  assert.equal(
    query.toString(),
    "response_status=403&cursor=abc&start_at=2026-03-10T11%3A00%3A00.000Z",
  );
});

Deno.test("a parameter that nobody knows goes along, for the log to refuse", () => {
  assert.equal(logQuery(search("respose_status=403")).get("respose_status"), "403");
});

Deno.test("filters are read with the text that takes them away again", () => {
  const { filters } = search("request_path=%2Fv1%2F*&user_id=a&user_id=!b");
  assert.deepEqual(
    filters.map(({ field, operator, value, text }) => [field, operator, value, text]),
    [
      ["request_path", "begins_with", "/v1/", "/v1/*"],
      ["user_id", "is", "a", "a"],
      ["user_id", "is_not", "b", "!b"],
    ],
  );
});

Deno.test("a filter that the form asks for becomes part of the URL", () => {
  const query = "range=7d&user_id=a&cursor=abc&entry=r-1" +
    "&add_field=request_path&add_operator=contains&add_value=+50%25*+";
  assert.equal(
    addedFilterUrl(search(query)),
    "/admin/logs?range=7d&user_id=a&request_path=*50%25%5C**",
  );
  assert.equal(addedFilterUrl(search("range=7d")), null);
});

Deno.test("a filter that asks nothing is refused at its field", () => {
  const add = (query: string) => () => addedFilterUrl(search(query));
  assert.throws(add("add_field=nothing"), fault("INVALID_INPUT", "add_field"));
  assert.throws(add("add_field=user_id"), fault("INVALID_INPUT", "add_operator"));
  assert.throws(
    add("add_field=user_id&add_operator=is&add_value=+"),
    fault("INVALID_INPUT", "add_value"),
  );
  assert.throws(
    add("add_field=user_id&add_operator=above&add_value=3"),
    fault("INVALID_INPUT", "add_operator"),
  );
});

Deno.test("a value that the log could not read is refused where it was typed", () => {
  const add = (query: string) => () => addedFilterUrl(search(query));
  assert.throws(
    add("add_field=response_status&add_operator=is&add_value=forbidden"),
    fault("INVALID_INPUT", "add_value"),
  );
  assert.throws(
    add("add_field=request_at&add_operator=above&add_value=noon"),
    fault("INVALID_INPUT", "add_value"),
  );
});

Deno.test("whether a field is set can be asked without a value", () => {
  assert.equal(
    addedFilterUrl(search("add_field=gatekeeper_denied_code&add_operator=is_set")),
    "/admin/logs?gatekeeper_denied_code=*",
  );
});

Deno.test("each step away from a search begins on its first page, with no call open", () => {
  const at = params("range=7d&user_id=a&user_id=b&cursor=abc&entry=r-1");
  assert.equal(urls.presetUrl(at, "1h"), "/admin/logs?range=1h&user_id=a&user_id=b");
  assert.equal(urls.withoutFilterUrl(at, "user_id", "a"), "/admin/logs?range=7d&user_id=b");
  assert.equal(urls.onlyFilterUrl(at, "user_id", "c"), "/admin/logs?range=7d&user_id=c");
  assert.equal(urls.withoutFiltersUrl(at), "/admin/logs?range=7d");
  assert.equal(urls.csvUrl(at), "/admin/logs/csv?range=7d&user_id=a&user_id=b");
  assert.equal(
    urls.zoomedUrl(at, now, now + 1000),
    "/admin/logs?user_id=a&user_id=b&start_at=2026-03-10T12%3A00%3A00.000Z" +
      "&end_at=2026-03-10T12%3A00%3A01.000Z",
  );
});

Deno.test("a call opens and closes on the page that one is on, and at its line", () => {
  const at = params("cursor=abc&entry=r-1");
  assert.equal(urls.openUrl(at, "r/2"), "/admin/logs?cursor=abc&entry=r%2F2#call-r%2F2");
  assert.equal(urls.closedUrl(at), "/admin/logs?cursor=abc#call-r-1");
});
