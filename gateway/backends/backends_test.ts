import assert from "node:assert/strict";
import { Store } from "../store/store.ts";
import { fault } from "../store/testing.ts";
import { Backends } from "./backends.ts";

const weather = {
  name: "Weather",
  servers: [{ host: "10.0.0.1", port: 80 }],
  url_matches: [{ frontend_prefix: "/weather/", backend_prefix: "/" }],
};

async function withBackends(work: (backends: Backends) => Promise<void>) {
  const store = await Store.open(":memory:");
  try {
    await work(new Backends(store));
  } finally {
    store.close();
  }
}

Deno.test("a new backend has the defaults, and the next place in the order", () =>
  withBackends(async (backends) => {
    const first = await backends.create(weather, "admin");
    const second = await backends.create({ ...weather, created_order: 1 }, "admin");
    assert.equal(first.frontend_host, "*");
    assert.equal(first.balance_algorithm, "least_conn");
    assert.equal(first.version, 1);
    assert.equal(first.created_by, "admin");
    assert.equal(first.created_order, 1);
    assert.equal(second.created_order, 2);
    assert.deepEqual(await backends.all(), [first, second]);
  }));

Deno.test("an order given out is not given out again after a removal", () =>
  withBackends(async (backends) => {
    const { id } = await backends.create(weather, "admin");
    await backends.remove(id);
    assert.equal((await backends.create(weather, "admin")).created_order, 2);
  }));

Deno.test("every bad field is reported at once, and nothing is stored", () =>
  withBackends(async (backends) => {
    const bad = { ...weather, name: "", servers: [{ host: "a b", port: 0 }] };
    await assert.rejects(
      backends.create(bad, "admin"),
      fault("INVALID_INPUT", "name", "servers[0].host", "servers[0].port"),
    );
    assert.equal((await backends.list({})).total, 0);
  }));

Deno.test("fields left out of a change keep their value, and the whole is validated again", () =>
  withBackends(async (backends) => {
    const made = await backends.create(weather, "admin");
    const changed = await backends.change(made.id, { name: "Climate" }, "other");
    assert.deepEqual(
      { ...changed, updated_at: made.updated_at },
      { ...made, name: "Climate", version: 2, updated_by: "other" },
    );
    await assert.rejects(
      backends.change(made.id, { settings: { rate_limit_mode: "custom" } }, "other"),
      fault("INVALID_INPUT", "settings.rate_limits"),
    );
    await assert.rejects(
      backends.change(made.id, { serves: [] }, "other"),
      fault("INVALID_INPUT", "serves"),
    );
  }));

Deno.test("a backend may be sent back as it was read", () =>
  withBackends(async (backends) => {
    const made = await backends.create(weather, "admin");
    const changed = await backends.change(made.id, { ...made, created_order: 99 }, "admin", 1);
    assert.deepEqual({ ...changed, updated_at: "", version: 1 }, { ...made, updated_at: "" });
  }));

Deno.test("changes to different fields at once are both kept", () =>
  withBackends(async (backends) => {
    const { id } = await backends.create(weather, "admin");
    await Promise.all([
      backends.change(id, { name: "Climate" }, "a"),
      backends.change(id, { frontend_host: "api.example.com" }, "b"),
    ]);
    const { name, frontend_host, version } = await backends.get(id);
    assert.deepEqual(
      { name, frontend_host, version },
      { name: "Climate", frontend_host: "api.example.com", version: 3 },
    );
  }));

Deno.test("who deleted a backend is known until it is forgotten", () =>
  withBackends(async (backends) => {
    const { id } = await backends.create(weather, "admin");
    await assert.rejects(backends.remove(id, 7), fault("STALE"));
    await backends.remove(id, 1, "mary");
    await assert.rejects(backends.get(id), fault("NOT_FOUND"));
    assert.equal((await backends.removals()).get(id)?.removed_by, "mary");
    await backends.forgetRemovals([id]);
    assert.equal((await backends.removals()).size, 0);
  }));

Deno.test("a backend too large for the store is bad input", () =>
  withBackends(async (backends) => {
    const headers = Array.from(
      { length: 20 },
      (_, i) => ({ key: `X-${i}`, value: "x".repeat(4000) }),
    );
    await assert.rejects(
      backends.create({ ...weather, settings: { headers } }, "admin"),
      fault("INVALID_INPUT"),
    );
  }));
