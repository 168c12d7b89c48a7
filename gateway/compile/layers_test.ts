import assert from "node:assert/strict";
import fc from "fast-check";
import { type LayerName, Layers, type StoredSettings } from "./layers.ts";

const NAMES = ["append_query_string", "disable_api_key", "required_roles", "headers"] as const;

/** A setting as it may be stored: absent, empty in one of several ways, or with a value. */
function setting<T>(...values: T[]): fc.Arbitrary<T | null | undefined> {
  return fc.constantFrom(undefined, null, ...values);
}

const layer: fc.Arbitrary<StoredSettings> = fc.record({
  append_query_string: setting("", "a=1", "b=2"),
  disable_api_key: setting(true, false),
  required_roles: setting<string[]>([], ["a"], ["b"], ["a", "c"]).map((roles) => roles ?? []),
  headers: setting([], [{ key: "X-A", value: "1" }], [{ key: "X-B", value: "" }])
    .map((headers) => headers ?? []),
  required_roles_override: setting(true, false).map((override) => override ?? false),
}, { requiredKeys: [] });

/** As one would say it: the first in the list that says something. */
function naive(
  layers: readonly [LayerName, StoredSettings][],
  name: typeof NAMES[number],
): [LayerName, unknown] {
  for (const [layer, settings] of layers) {
    const value = settings[name];
    if (value === undefined || value === null || value === "") continue;
    if (Array.isArray(value) && value.length === 0) continue;
    return [layer, value];
  }
  return ["server", undefined];
}

Deno.test("property: of each setting the nearest layer that says something decides", () => {
  fc.assert(fc.property(layer, layer, fc.option(layer), (defaults, backend, sub) => {
    const layers = new Layers(defaults, backend, sub);
    const listed: [LayerName, StoredSettings][] = [["backend", backend], ["default", defaults]];
    if (sub !== null) listed.unshift(["sub_url", sub]);
    for (const name of NAMES) {
      const [source, value] = naive(listed, name);
      assert.deepEqual(layers.value(name), value);
      assert.equal(layers.sourceOf(name), source);
    }
  }));
});

Deno.test("property: a sub-URL's roles are needed besides the backend's, unless they override them", () => {
  fc.assert(fc.property(layer, layer, fc.option(layer), (defaults, backend, sub) => {
    const needed = new Set(new Layers(defaults, backend, sub).requiredRoles());
    const [, inherited] = naive([["backend", backend], ["default", defaults]], "required_roles");
    const own = sub?.required_roles ?? [];
    const overrides = sub?.required_roles_override === true;
    const expected = new Set([...(overrides ? [] : inherited as string[] ?? []), ...own]);
    assert.deepEqual(needed, expected);
  }));
});

Deno.test("settings that were stored before there was a field inherit it", () => {
  assert.equal(new Layers({ append_query_string: "a=1" }, {}).value("append_query_string"), "a=1");
  assert.deepEqual(new Layers({}, {}, {}).requiredRoles(), []);
});
