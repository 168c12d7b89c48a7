import assert from "node:assert/strict";
import { KeyDirectory } from "../keys/key_directory.ts";
import type { KeyLookup } from "../keys/key_lookup.ts";
import { lookupOn } from "../keys/testing.ts";
import { isWellFormedApiKey } from "../keys/api_key.ts";
import { fault, silentLog } from "../store/testing.ts";
import { serverSecret } from "../store/server_secret.ts";
import { Store } from "../store/store.ts";
import { SignupLimit } from "./signup_limit.ts";
import { Users } from "./users.ts";

const jane = { email: "jane@example.com", first_name: "Jane", last_name: "Doe" };
const home = { address: "192.0.2.1", source: "web" } as const;

interface Scene {
  readonly store: Store;
  readonly users: Users;
  readonly directory: KeyDirectory;
  readonly keys: KeyLookup;
}

async function withUsers(work: (scene: Scene) => Promise<void>, signupsPerHour = 30) {
  const store = await Store.open(":memory:");
  const secret = await serverSecret(store, null);
  const directory = new KeyDirectory(store, silentLog);
  const signupLimit = new SignupLimit(signupsPerHour);
  const users = new Users({ store, secret, keys: directory, signupLimit });
  try {
    await work({ store, directory, keys: lookupOn(directory, secret), users });
  } finally {
    await directory.close();
    store.close();
  }
}

Deno.test("a new user's key is given out once and is nowhere in the record or the store", () =>
  withUsers(async ({ store, users }) => {
    const { user, api_key } = await users.create({ ...jane, roles: ["beta"] }, "admin");
    assert.ok(isWellFormedApiKey(api_key));
    assert.equal(user.api_key_preview, api_key.slice(0, 10));
    assert.equal(user.registration_source, "admin");
    assert.deepEqual(await users.get(user.id), user);
    assert.ok(!("api_key_hash" in user));
    for await (const entry of store.kv.list({ prefix: [] })) {
      assert.ok(!Deno.inspect(entry, { depth: 9, strAbbreviateSize: 1e6 }).includes(api_key));
    }
  }));

Deno.test("every bad field is reported at once", () =>
  withUsers(async ({ users }) => {
    await assert.rejects(
      users.create({ email: "no", first_name: "", last_name: "Doe", nick: "J" }, "admin"),
      fault("INVALID_INPUT", "email", "first_name", "nick"),
    );
    await assert.rejects(users.create(null, "admin"), fault("INVALID_INPUT"));
  }));

Deno.test("a key can be used as soon as it was signed up for", () =>
  withUsers(async ({ users, directory, keys }) => {
    await directory.ready;
    const { user, api_key } = await users.signUp({ ...jane, terms_and_conditions: "1" }, home);
    assert.equal(user.registration_source, "web");
    assert.equal(user.registration_ip, "192.0.2.1");
    const holder = await keys.find(api_key);
    assert.equal(holder?.id, user.id);
    assert.equal(holder?.email, "jane@example.com");
    assert.equal(holder?.createdAt, Date.parse(user.created_at));
  }));

Deno.test("a sign-up sets nothing but the person's details", () =>
  withUsers(async ({ users }) => {
    const terms = { terms_and_conditions: true };
    await assert.rejects(
      users.signUp({ ...jane, ...terms, roles: ["admin"] }, home),
      fault("INVALID_INPUT", "roles"),
    );
    for (const agreed of [undefined, "no", { toString: 1 }, [[["true"]]]]) {
      await assert.rejects(
        users.signUp({ ...jane, terms_and_conditions: agreed }, home),
        fault("INVALID_INPUT", "terms_and_conditions"),
      );
    }
    const { user } = await users.signUp({ ...jane, ...terms }, home);
    assert.deepEqual(user.roles, []);
    assert.ok(user.enabled);
  }));

Deno.test("an address may sign up so often, and bad input does not count", () =>
  withUsers(async ({ users }) => {
    const input = { ...jane, terms_and_conditions: true };
    await assert.rejects(users.signUp({}, home), fault("INVALID_INPUT"));
    await users.signUp(input, home);
    await users.signUp(input, home);
    await assert.rejects(users.signUp(input, home), fault("TOO_MANY_ATTEMPTS"));
    await users.signUp(input, { ...home, address: "192.0.2.2" });
  }, 2));

Deno.test("fields left out of a change keep their value", () =>
  withUsers(async ({ users }) => {
    const { user } = await users.create({ ...jane, roles: ["beta"] }, "admin");
    const changed = await users.change(user.id, { last_name: "Roe" }, "other");
    assert.deepEqual(
      { ...changed, updated_at: user.updated_at },
      { ...user, last_name: "Roe", updated_by: "other", version: 2 },
    );
    await assert.rejects(
      users.change(user.id, { email: "" }, "other"),
      fault("INVALID_INPUT", "email"),
    );
  }));

Deno.test("a user may be sent back as it was read; what the server owns does not change", () =>
  withUsers(async ({ users }) => {
    const { user } = await users.create(jane, "admin");
    const forged = { ...user, id: "1", version: 9, api_key_preview: "ptk_", registration_ip: "x" };
    const changed = await users.change(user.id, forged, "admin");
    assert.equal(changed.id, user.id);
    assert.equal(changed.version, 2);
    assert.equal(changed.api_key_preview, user.api_key_preview);
    assert.equal(changed.registration_ip, null);
  }));

Deno.test("disabling, roles, settings and removal act at once on a key in use", () =>
  withUsers(async ({ users, keys }) => {
    const { user, api_key } = await users.create(jane, "admin");
    await keys.find(api_key);
    assert.ok(!(keys.find(api_key) instanceof Promise), "the key is in memory");

    await users.change(user.id, { enabled: false }, "admin");
    assert.equal((await keys.find(api_key))?.enabled, false);
    await users.change(user.id, { enabled: true, roles: ["beta"] }, "admin");
    assert.deepEqual([...(await keys.find(api_key))?.roles ?? []], ["beta"]);
    await users.change(user.id, { settings: { rate_limit_mode: "unlimited" } }, "admin");
    assert.equal((await keys.find(api_key))?.settings.rate_limit_mode, "unlimited");
    await users.remove(user.id);
    assert.equal(await keys.find(api_key), null);
  }));

Deno.test("a stale change or removal is refused and leaves the key as it is", () =>
  withUsers(async ({ users, keys }) => {
    const { user, api_key } = await users.create(jane, "admin");
    await users.change(user.id, {}, "admin", 1);
    await assert.rejects(users.change(user.id, { enabled: false }, "admin", 1), fault("STALE"));
    await assert.rejects(users.remove(user.id, 1), fault("STALE"));
    assert.equal((await keys.find(api_key))?.enabled, true);
  }));

Deno.test("sign-ups all at once each get a key that works", () =>
  withUsers(async ({ users, keys }) => {
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, i) => users.create({ ...jane, email: `${i}@a.b` }, "admin")),
    );
    for (const { user, api_key } of made) assert.equal((await keys.find(api_key))?.id, user.id);
    assert.equal((await users.list({})).total, 40);
  }));

Deno.test("users are listed by the state of their key and by role", () =>
  withUsers(async ({ users }) => {
    const add = async (email: string, more: Record<string, unknown>) =>
      (await users.create({ ...jane, email, ...more }, "admin")).user.email;
    const on = await add("on@example.org", { roles: ["staff", "reader"] });
    const off = await add("off@example.org", { enabled: false, roles: ["staff"] });
    const old = await add("old@example.org", { expires_at: "2020-01-01T00:00:00Z" });
    const emails = async (filter: Parameters<typeof users.list>[0]) =>
      (await users.list(filter)).items.map(({ email }) => email);
    assert.deepEqual(await emails({ state: "enabled" }), [on]);
    assert.deepEqual(await emails({ state: "disabled" }), [off]);
    assert.deepEqual(await emails({ state: "expired" }), [old]);
    assert.deepEqual(await emails({ role: "staff" }), [on, off]);
    assert.deepEqual(await emails({ role: "staff", state: "disabled", search: "off" }), [off]);
  }));

Deno.test("a search finds e-mail address, name and the visible part of the key", () =>
  withUsers(async ({ users }) => {
    const { user, api_key } = await users.create(jane, "admin");
    await users.create({ email: "bob@example.org", first_name: "Bob", last_name: "Ray" }, "admin");
    for (const search of ["JANE@", "example.com", "ane do", api_key.slice(0, 10)]) {
      const page = await users.list({ search });
      assert.deepEqual(page.items, [user], search);
      assert.equal(page.total, 1);
    }
    assert.equal((await users.list({ search: "example" })).total, 2);
    assert.equal((await users.list({ search: "  " })).total, 2);
    assert.equal((await users.list({ search: "nobody" })).total, 0);
    await assert.rejects(
      users.list({ search: "x".repeat(256) }),
      fault("INVALID_INPUT", "search"),
    );
  }));
