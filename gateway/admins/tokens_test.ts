import assert from "node:assert/strict";
import { Fault } from "../faults.ts";
import { newRecordId } from "../store/record_id.ts";
import type { Admin } from "../records/admin.ts";
import { type AdminsForTest, withAdmins } from "./testing.ts";

function withAdmin(test: (admin: Admin, admins: AdminsForTest) => Promise<void>): Promise<void> {
  return withAdmins(async (admins) => {
    const input = { username: "anna", password: "correct horse battery" };
    const admin = await admins.accounts.setUp(input, { address: "::1", direct: true });
    await test(admin, admins);
  });
}

const notFound = (error: unknown) => error instanceof Fault && error.kind === "NOT_FOUND";

Deno.test("a token is pta_, 40 random base62 characters and a checksum, and finds its admin", () =>
  withAdmin(async (admin, { tokens }) => {
    const { id, name, token } = await tokens.create(admin, { name: " deploy " });
    assert.match(token, /^pta_[0-9A-Za-z]{46}$/);
    assert.equal(name, "deploy");
    assert.deepEqual(await tokens.find(token), admin);
    const listed = (await tokens.list(admin)).find((one) => one.id === id);
    assert.equal(listed?.token_preview, token.slice(0, 10));
    assert.ok(!JSON.stringify(listed).includes(token));
  }));

Deno.test("a token with a typing mistake, an API key and nothing find nobody", () =>
  withAdmin(async (admin, { tokens }) => {
    const { token } = await tokens.create(admin, { name: "deploy" });
    const swapped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
    for (const text of ["", swapped, `${token} `, token.replace("pta_", "ptk_")]) {
      assert.equal(await tokens.find(text), null);
    }
  }));

Deno.test("a revoked token finds nobody, and cannot be revoked twice", () =>
  withAdmin(async (admin, { tokens }) => {
    const { id, token } = await tokens.create(admin, { name: "deploy" });
    await tokens.revoke(admin, id);
    assert.equal(await tokens.find(token), null);
    await assert.rejects(tokens.revoke(admin, id), notFound);
  }));

Deno.test("another admin's token is as if it were not there", () =>
  withAdmin(async (admin, { tokens }) => {
    const other: Admin = { ...admin, id: newRecordId(), username: "berta" };
    const { id, token } = await tokens.create(admin, { name: "deploy" });
    assert.deepEqual(await tokens.list(other), []);
    for (const unknown of [id, newRecordId(), "", "../1"]) {
      await assert.rejects(tokens.revoke(other, unknown), notFound);
    }
    assert.deepEqual(await tokens.find(token), admin);
  }));

Deno.test("the last use is noted, at most once a minute", () =>
  withAdmin(async (admin, { tokens, time }) => {
    const { id, token } = await tokens.create(admin, { name: "deploy" });
    const lastUse = async () =>
      (await tokens.list(admin)).find((one) => one.id === id)?.last_used_at;
    assert.equal(await lastUse(), null);
    const first = new Date(time.now).toISOString();
    await tokens.find(token);
    time.now += 59_999;
    await tokens.find(token);
    assert.equal(await lastUse(), first);
    time.now += 1;
    await tokens.find(token);
    assert.equal(await lastUse(), new Date(time.now).toISOString());
  }));

Deno.test("a token needs a name", () =>
  withAdmin(async (admin, { tokens }) => {
    for (const input of [{}, { name: " " }, { name: 1 }, { name: "a", admin_id: "b" }, null]) {
      await assert.rejects(
        tokens.create(admin, input),
        (error: unknown) => error instanceof Fault && error.kind === "INVALID_INPUT",
      );
    }
  }));
