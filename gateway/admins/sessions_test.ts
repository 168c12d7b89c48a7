import assert from "node:assert/strict";
import type { Admin } from "../records/admin.ts";
import { type AdminsForTest, withAdmins } from "./testing.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function withAdmin(test: (admin: Admin, admins: AdminsForTest) => Promise<void>): Promise<void> {
  return withAdmins(async (admins) => {
    const input = { username: "anna", password: "correct horse battery" };
    const admin = await admins.accounts.setUp(input, { address: "::1", direct: true });
    await test(admin, admins);
  });
}

Deno.test("a session is found by its cookie value, which is 256 random bits", () =>
  withAdmin(async (admin, { sessions }) => {
    const cookie = await sessions.open(admin);
    assert.match(cookie, /^[A-Za-z0-9_-]{43}$/);
    assert.deepEqual(await sessions.find(cookie), admin);
    assert.notEqual(await sessions.open(admin), cookie);
  }));

Deno.test("no other value finds a session", () =>
  withAdmin(async (admin, { sessions }) => {
    const cookie = await sessions.open(admin);
    const others = ["", "x", cookie.slice(1), `${cookie}A`, cookie.toLowerCase(), "A".repeat(43)];
    for (const other of others) assert.equal(await sessions.find(other), null);
  }));

Deno.test("a session ends after 30 minutes without a request", () =>
  withAdmin(async (admin, { sessions, time }) => {
    const cookie = await sessions.open(admin);
    for (let i = 0; i < 4; i++) {
      time.now += 29 * MINUTE;
      assert.notEqual(await sessions.find(cookie), null);
    }
    time.now += 30 * MINUTE;
    assert.equal(await sessions.find(cookie), null);
    time.now -= 30 * MINUTE;
    assert.equal(await sessions.find(cookie), null, "it is gone, not asleep");
  }));

Deno.test("a session ends after 12 hours however busy it is", () =>
  withAdmin(async (admin, { sessions, time }) => {
    const cookie = await sessions.open(admin);
    for (let passed = 0; passed < 12 * HOUR; passed += 20 * MINUTE) {
      assert.notEqual(await sessions.find(cookie), null);
      time.now += 20 * MINUTE;
    }
    assert.equal(await sessions.find(cookie), null);
  }));

Deno.test("a closed session is over, the admin's other sessions are not", () =>
  withAdmin(async (admin, { sessions }) => {
    const [cookie, other] = [await sessions.open(admin), await sessions.open(admin)];
    await sessions.close(cookie);
    await sessions.close(cookie);
    assert.equal(await sessions.find(cookie), null);
    assert.deepEqual(await sessions.find(other), admin);
  }));

Deno.test("a busy session costs at most one write a minute", () =>
  withAdmin(async (admin, { sessions, store, time }) => {
    const versions = async () => {
      const entries = await Array.fromAsync(store.kv.list({ prefix: ["admin_sessions"] }));
      return entries.map(({ versionstamp }) => versionstamp);
    };
    const cookie = await sessions.open(admin);
    const before = await versions();
    time.now += MINUTE - 1;
    for (let i = 0; i < 10; i++) await sessions.find(cookie);
    assert.deepEqual(await versions(), before);
    time.now += 1;
    await sessions.find(cookie);
    assert.notDeepEqual(await versions(), before);
  }));
