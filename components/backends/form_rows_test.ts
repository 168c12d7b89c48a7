import assert from "node:assert/strict";
import { newBackendForm } from "./backend_form.ts";
import { addRow, fieldAfter, removeRow, withRowAction } from "./form_rows.ts";

const form = {
  ...newBackendForm(),
  servers: [{ host: "a", port: "1" }, { host: "b", port: "2" }, { host: "c", port: "3" }],
};

Deno.test("a button adds a row to its list and leaves what was typed", () => {
  const after = withRowAction(form, addRow("servers"));
  assert.deepEqual(after?.servers, [...form.servers, { host: "", port: "" }]);
  assert.equal(after?.url_matches, form.url_matches);
});

Deno.test("a button removes its own row", () => {
  const after = withRowAction(form, removeRow("servers", 1));
  assert.deepEqual(after?.servers.map(({ host }) => host), ["a", "c"]);
});

Deno.test("rows of settings come and go as well", () => {
  const added = withRowAction(form, addRow("settings.headers"));
  assert.deepEqual(added?.settings.headers, [{ key: "", value: "" }]);
  const removed = withRowAction(added ?? form, removeRow("settings.headers", 0));
  assert.deepEqual(removed?.settings.headers, []);
});

Deno.test("one goes on in the first field of a new row, or at the list that lost one", () => {
  const actions = [
    addRow("servers"),
    addRow("settings.rate_limits"),
    addRow("settings.default_response_headers"),
    removeRow("servers", 0),
  ];
  assert.deepEqual(
    actions.map((action) => fieldAfter(withRowAction(form, action) ?? form, action)),
    [
      "servers[3].host",
      "settings.rate_limits[0].limit",
      "settings.default_response_headers[0].key",
      "servers",
    ],
  );
});

Deno.test("anything else asks for nothing", () => {
  for (
    const action of [
      "",
      "save",
      "add:name",
      "add:servers[0]",
      "remove:servers",
      "remove:settings[0]",
      "add:__proto__",
      "add:settings.required_roles",
    ]
  ) assert.equal(withRowAction(form, action), null, action);
});

Deno.test("a row that is not there removes nothing", () => {
  assert.deepEqual(withRowAction(form, removeRow("servers", 999_999_999)), form);
});
