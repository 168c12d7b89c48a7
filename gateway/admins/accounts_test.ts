import assert from "node:assert/strict";
import { Fault, type FaultKind } from "../faults.ts";
import { hashSync } from "bcryptjs";
import { adminConfiguration, withAdmins } from "./testing.ts";

const direct = { address: "127.0.0.1", direct: true };
const fromAfar = { address: "192.0.2.1", direct: false };
const anna = { username: "anna@example.org", password: "correct horse battery" };
const otherPassword = "battery horse correct";
/** As an operator would put it into the configuration. */
const hashOf = (password: string) => hashSync(password, 4);

function rejects(kind: FaultKind, promise: Promise<unknown>): Promise<void> {
  return assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.kind, kind, error.message);
    return true;
  });
}

Deno.test("somebody at the machine creates the first admin, who can then sign in", () =>
  withAdmins(async ({ accounts }) => {
    assert.equal(accounts.needsSetup, true);
    const admin = await accounts.setUp(anna, direct);
    assert.equal(admin.username, "anna@example.org");
    assert.deepEqual(Object.keys(admin).sort(), [
      "created_at",
      "id",
      "updated_at",
      "username",
      "version",
    ]);
    assert.equal(accounts.needsSetup, false);
    assert.deepEqual(await accounts.signIn(anna, "192.0.2.7"), admin);
  }));

Deno.test("once there is an admin nobody becomes the first one, also after a restart", () =>
  withAdmins(async ({ accounts, restarted }) => {
    await accounts.setUp(anna, direct);
    const second = { username: "mallory", password: "correct horse battery" };
    await rejects("CONFLICT", accounts.setUp(second, direct));
    const after = await restarted();
    assert.equal(after.needsSetup, false);
    assert.equal(after.setupCode, null);
    await rejects("CONFLICT", after.setUp(second, direct));
  }));

Deno.test("of several who set up at once, one wins", () =>
  withAdmins(async ({ accounts, restarted }) => {
    const other = await restarted(); // another process on the same store
    const attempts = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        [accounts, other][index % 2]?.setUp(
          { ...anna, username: `admin${index}` },
          direct,
        )),
    );
    const lost = attempts.filter((attempt) => attempt.status === "rejected");
    assert.equal(lost.length, 5);
    for (const { reason } of lost) assert.ok(reason instanceof Fault && reason.kind === "CONFLICT");
  }));

Deno.test("from afar, setting up takes the code that the server printed", () =>
  withAdmins(async ({ accounts }) => {
    const setup_code = accounts.setupCode ?? "";
    assert.match(setup_code, /^[2-9A-Z]{4}(-[2-9A-Z]{4}){3}$/);
    await rejects("FORBIDDEN", accounts.setUp(anna, fromAfar));
    await rejects("FORBIDDEN", accounts.setUp({ ...anna, setup_code: "2222" }, fromAfar));
    const typed = setup_code.toLowerCase().replaceAll("-", " ");
    await accounts.setUp({ ...anna, setup_code: typed }, fromAfar);
    assert.equal(accounts.setupCode, null);
  }));

Deno.test("a reload keeps the setup code, and knows of a setup made before it", () =>
  withAdmins(async ({ accounts }) => {
    const reloaded = await accounts.configured(adminConfiguration([]));
    assert.equal(reloaded.setupCode, accounts.setupCode);
    await accounts.setUp({ ...anna, setup_code: reloaded.setupCode }, fromAfar);
    assert.equal(reloaded.needsSetup, false);
  }));

Deno.test("a reload seeds the accounts that the configuration has gained", () =>
  withAdmins(async ({ accounts }) => {
    const seeded = { username: anna.username, password_hash: hashOf(anna.password) };
    const reloaded = await accounts.configured(adminConfiguration([seeded]));
    assert.equal(accounts.needsSetup, false);
    await reloaded.signIn(anna, "192.0.2.1");
  }));

Deno.test("guessing the setup code is slowed down, for the address that guesses", () =>
  withAdmins(async ({ accounts, time }) => {
    const guess = { ...anna, setup_code: "2222-2222-2222-2222" };
    for (let i = 0; i < 5; i++) await rejects("FORBIDDEN", accounts.setUp(guess, fromAfar));
    await rejects("TOO_MANY_ATTEMPTS", accounts.setUp(guess, fromAfar));
    const right = { ...anna, setup_code: accounts.setupCode };
    await rejects("TOO_MANY_ATTEMPTS", accounts.setUp(right, fromAfar));
    time.now += 1000;
    await accounts.setUp(right, fromAfar);
  }));

Deno.test("setting up names every bad field at once", () =>
  withAdmins(async ({ accounts }) => {
    await assert.rejects(
      accounts.setUp({ username: "", password: "short", admin: true }, direct),
      (error: unknown) => {
        assert.ok(error instanceof Fault);
        assert.deepEqual(error.errors.map(({ field }) => field), ["username", "password", "admin"]);
        return true;
      },
    );
  }));

Deno.test("from afar, a wrong setup code and bad fields are told at once, and the code counts as a guess", () =>
  withAdmins(async ({ accounts }) => {
    const confirmation = { code: "INVALID_INPUT", message: "differs", field: "confirmation" };
    const guess = { ...anna, password: "short", setup_code: "2222-2222-2222-2222" };
    const attempt = () => accounts.setUp(guess, fromAfar, [confirmation]);
    for (let i = 0; i < 5; i++) {
      await assert.rejects(attempt(), (error: unknown) => {
        assert.ok(error instanceof Fault && error.kind === "FORBIDDEN");
        const fields = error.errors.map(({ field }) => field);
        assert.deepEqual(fields, ["setup_code", "password", "confirmation"]);
        return true;
      });
    }
    await rejects("TOO_MANY_ATTEMPTS", attempt());
  }));

Deno.test("user names are the same in capitals and in small letters", () =>
  withAdmins(async ({ accounts }) => {
    const admin = await accounts.setUp({ ...anna, username: " Anna@Example.ORG " }, direct);
    assert.equal(admin.username, "anna@example.org");
    const signedIn = await accounts.signIn({ ...anna, username: "ANNA@example.org" }, "192.0.2.1");
    assert.equal(signedIn.id, admin.id);
  }));

Deno.test("an unknown name and a wrong password get the same answer", () =>
  withAdmins(async ({ accounts }) => {
    await accounts.setUp(anna, direct);
    const answers = [];
    for (const guess of [{ ...anna, username: "nobody" }, { ...anna, password: otherPassword }]) {
      const error: unknown = await accounts.signIn(guess, "192.0.2.1").catch((error) => error);
      assert.ok(error instanceof Fault && error.kind === "NOT_SIGNED_IN");
      answers.push(error.errors);
    }
    assert.deepEqual(answers[0], answers[1]);
  }));

Deno.test("five failures slow an account down wherever they come from, known or not", () =>
  withAdmins(async ({ accounts, time }) => {
    await accounts.setUp(anna, direct);
    for (const username of [anna.username, "nobody"]) {
      const guess = { username, password: otherPassword };
      for (let i = 0; i < 5; i++) {
        await rejects("NOT_SIGNED_IN", accounts.signIn(guess, `192.0.2.${i}`));
      }
      await rejects("TOO_MANY_ATTEMPTS", accounts.signIn(guess, "198.51.100.1"));
    }
    await rejects("TOO_MANY_ATTEMPTS", accounts.signIn(anna, "198.51.100.1"));
    time.now += 1000;
    await accounts.signIn(anna, "198.51.100.1");
  }));

Deno.test("five failures slow an address down, whatever names it tries", () =>
  withAdmins(async ({ accounts }) => {
    await accounts.setUp(anna, direct);
    for (let i = 0; i < 5; i++) {
      const guess = { username: `name${i}`, password: otherPassword };
      await rejects("NOT_SIGNED_IN", accounts.signIn(guess, "192.0.2.1"));
    }
    await rejects("TOO_MANY_ATTEMPTS", accounts.signIn(anna, "192.0.2.1"));
    await accounts.signIn(anna, "192.0.2.2");
  }));

Deno.test("signing in over and over again with the right password is never slowed down", () =>
  withAdmins(async ({ accounts }) => {
    await accounts.setUp(anna, direct);
    for (let i = 0; i < 20; i++) await accounts.signIn(anna, "192.0.2.1");
  }));

Deno.test("an account that the configuration gives a hash can sign in at once", () =>
  withAdmins(async ({ accounts, restarted }) => {
    assert.equal(accounts.needsSetup, false);
    const admin = await accounts.signIn(anna, "192.0.2.1");
    const again = await restarted();
    assert.deepEqual(await again.signIn(anna, "192.0.2.1"), admin, "and is made once");
  }, [{ username: anna.username, password_hash: hashOf(anna.password) }]));

Deno.test("another hash in the configuration replaces a lost password and ends its sessions", () =>
  withAdmins(async ({ accounts, sessions, time, restarted }) => {
    const admin = await accounts.setUp(anna, direct);
    const cookie = await sessions.open(admin);
    time.now += 1000;
    const reset = [{ username: anna.username, password_hash: hashOf(otherPassword) }];
    const after = await restarted(reset);
    await rejects("NOT_SIGNED_IN", after.signIn(anna, "192.0.2.1"));
    assert.equal(
      (await after.signIn({ ...anna, password: otherPassword }, "192.0.2.1")).id,
      admin.id,
    );
    assert.equal(await sessions.find(cookie), null);

    const newCookie = await sessions.open(admin);
    time.now += 1000;
    await restarted(reset);
    assert.notEqual(await sessions.find(newCookie), null);
  }));

Deno.test("with names but no hashes in the configuration, only those names can be claimed", () =>
  withAdmins(async ({ accounts }) => {
    await assert.rejects(accounts.setUp(anna, direct), (error: unknown) => {
      assert.ok(error instanceof Fault && error.kind === "INVALID_INPUT");
      assert.equal(error.errors[0]?.field, "username");
      return true;
    });
    await accounts.setUp({ ...anna, username: "Berta" }, direct);
  }, [{ username: "berta", password_hash: null }, { username: "carl", password_hash: null }]));

Deno.test("the log says which configured admin cannot sign in", () =>
  withAdmins(({ lines }) => {
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? "", /cannot sign in.*username=berta$/);
    return Promise.resolve();
  }, [
    { username: anna.username, password_hash: hashOf(anna.password) },
    { username: "berta", password_hash: null },
  ]));

Deno.test("the log tells of the first setup and of sign-ins, and never what was typed in vain", () =>
  withAdmins(async ({ accounts, lines }) => {
    await accounts.setUp(anna, direct);
    await accounts.signIn(anna, "192.0.2.1");
    await rejects(
      "NOT_SIGNED_IN",
      accounts.signIn({ username: otherPassword.replaceAll(" ", "-"), password: "x" }, "192.0.2.2"),
    );
    const facts = lines.map((line) => line.replace(/^\S+ \w+ +/, ""));
    assert.deepEqual(facts, [
      "the first admin was created username=anna@example.org address=127.0.0.1",
      "an admin signed in username=anna@example.org address=192.0.2.1",
      "a sign-in failed address=192.0.2.2",
    ]);
  }));

Deno.test("neither password nor token lies in the store as it is", () =>
  withAdmins(async ({ accounts, sessions, tokens, store }) => {
    const admin = await accounts.setUp(anna, direct);
    const { token } = await tokens.create(admin, { name: "mine" });
    const cookie = await sessions.open(admin);
    const bytes = (text: string) => new TextEncoder().encode(text).join(",");
    for await (const { key, value } of store.kv.list({ prefix: [] })) {
      const all = Deno.inspect([key, value], { depth: 9, iterableLimit: 99 });
      for (const secret of [anna.password, token, cookie]) {
        assert.ok(!all.includes(secret) && !all.includes(bytes(secret)));
      }
    }
  }));
