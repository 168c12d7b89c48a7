import assert from "node:assert/strict";
import { addRow, onRow } from "../fields/row_actions.ts";
import { type BackendForm, blankRows, newBackendForm } from "./backend_form.ts";
import { backendEdits, withOpenRows } from "./form_rows.ts";
import { noSettings } from "./settings/settings_form.ts";

const { withRowAction, withFirstRows, placeAfter } = backendEdits;

const form: BackendForm = {
  ...newBackendForm(),
  servers: [{ host: "a", port: "1" }, { host: "b", port: "2" }, { host: "c", port: "3" }],
  sub_settings: ["^/a", "^/b", "^/c"].map((regex) => ({
    ...blankRows.sub_settings,
    regex,
    open: "",
  })),
};

const after = (action: string, before = form) => {
  const changed = withRowAction(before, action);
  assert.ok(changed !== null, action);
  return changed;
};

Deno.test("a button adds a row to its list and leaves what was typed", () => {
  const { servers, url_matches } = after(addRow("servers"));
  assert.deepEqual(servers, [...form.servers, { host: "", port: "" }]);
  assert.equal(url_matches, form.url_matches);
});

Deno.test("a button removes its own row", () => {
  const { servers } = after(onRow("remove", "servers[1]"));
  assert.deepEqual(servers.map(({ host }) => host), ["a", "c"]);
});

Deno.test("rows of settings come and go as well, of a sub-URL too", () => {
  const added = after(addRow("settings.headers"));
  assert.deepEqual(added.settings.headers, [{ key: "", value: "" }]);
  assert.deepEqual(after(onRow("remove", "settings.headers[0]"), added).settings.headers, []);
  const [first, second] = after(addRow("sub_settings[1].settings.headers")).sub_settings;
  assert.deepEqual(first?.settings.headers, []);
  assert.deepEqual(second?.settings.headers, [{ key: "", value: "" }]);
});

Deno.test("callers are told of the first custom limit, until somebody says otherwise", () => {
  const two = after(addRow("settings.rate_limits"), after(addRow("settings.rate_limits")));
  assert.deepEqual(
    two.settings.rate_limits.map(({ response_headers }) => response_headers),
    ["true", ""],
  );
  assert.equal(two.settings.rate_limit_mode, "custom");
});

Deno.test("custom limits begin with one to fill in", () => {
  const settings = { ...noSettings, rate_limit_mode: "custom" };
  const begun = withFirstRows({
    ...form,
    settings,
    sub_settings: form.sub_settings.with(2, { ...blankRows.sub_settings, settings }),
  });
  assert.equal(begun.settings.rate_limits.length, 1);
  assert.deepEqual(
    begun.sub_settings.map((row) => row.settings.rate_limits.length),
    [0, 0, 1],
  );
  assert.deepEqual(withFirstRows(begun), begun);
});

Deno.test("rows whose order counts are moved, and stay where there is no further", () => {
  const order = (action: string) => after(action).sub_settings.map(({ regex }) => regex).join(" ");
  assert.equal(order(onRow("up", "sub_settings[1]")), "^/b ^/a ^/c");
  assert.equal(order(onRow("down", "sub_settings[1]")), "^/a ^/c ^/b");
  assert.equal(order(onRow("up", "sub_settings[0]")), "^/a ^/b ^/c");
  assert.equal(order(onRow("down", "sub_settings[2]")), "^/a ^/b ^/c");
});

Deno.test("a sub-URL is opened and closed, a new one is open", () => {
  const opened = after(onRow("open", "sub_settings[1]"));
  assert.deepEqual(opened.sub_settings.map(({ open }) => open), ["", "true", ""]);
  const closed = after(onRow("close", "sub_settings[1]"), opened);
  assert.deepEqual(closed, form);
  assert.equal(after(addRow("sub_settings")).sub_settings.at(-1)?.open, "true");
});

Deno.test("a sub-URL with a field to go to is open, and one that was just closed is not", () => {
  const open = (...fields: string[]) =>
    withOpenRows(form, fields).sub_settings.map((row) => row.open);
  const fields = ["sub_settings[0].regex", "sub_settings[2].settings.headers[0].key"];
  assert.deepEqual(open(...fields), ["true", "", "true"]);
  assert.deepEqual(open("sub_settings[1].open", "sub_settings[1].down"), ["", "", ""]);
});

Deno.test("one goes on in the first field of a new row, or at the list that lost one", () => {
  const actions = [
    addRow("servers"),
    addRow("sub_settings"),
    addRow("settings.rate_limits"),
    addRow("sub_settings[0].settings.default_response_headers"),
    onRow("remove", "servers[0]"),
  ];
  assert.deepEqual(
    actions.map((action) => placeAfter(after(action), action)),
    [
      "servers[3].host",
      "sub_settings[3].regex",
      "settings.rate_limits[0].limit",
      "sub_settings[0].settings.default_response_headers[0].key",
      "servers",
    ],
  );
});

Deno.test("one goes on at the button that was pressed, where its row has come to", () => {
  const place = (action: string) => placeAfter(after(action), action);
  assert.equal(place(onRow("up", "sub_settings[2]")), "sub_settings[1].up");
  assert.equal(place(onRow("up", "sub_settings[1]")), "sub_settings[0].down");
  assert.equal(place(onRow("down", "sub_settings[1]")), "sub_settings[2].up");
  assert.equal(place(onRow("open", "sub_settings[1]")), "sub_settings[1].open");
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
      "add:sub_settings[9].settings.headers",
      "add:sub_settings[0].headers",
    ]
  ) assert.equal(withRowAction(form, action), null, action);
});

Deno.test("a row that is not there removes nothing", () => {
  assert.deepEqual(after(onRow("remove", "servers[999999999]")), form);
});
