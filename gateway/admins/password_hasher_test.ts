import assert from "node:assert/strict";
import { Fault } from "../faults.ts";
import { PasswordHasher } from "./password_hasher.ts";

/** Cost 4 is bcrypt's least: the same code, a few milliseconds. */
async function withHasher(
  run: (hasher: PasswordHasher) => Promise<void>,
  options: { cost?: number; idleTime?: number } = {},
) {
  const hasher = new PasswordHasher({ cost: 4, ...options });
  try {
    await run(hasher);
  } finally {
    hasher.close();
  }
}

Deno.test("a password matches its own hash and no other password does", () =>
  withHasher(async (hasher) => {
    const hash = await hasher.hash("correct horse battery");
    assert.match(hash, /^\$2b\$04\$/);
    assert.equal(await hasher.matches("correct horse battery", hash), true);
    assert.equal(await hasher.matches("correct horse batterz", hash), false);
  }));

Deno.test("the cost is 12 unless told otherwise, and a hash never blocks the caller's thread", async () => {
  const hasher = new PasswordHasher();
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  try {
    assert.match(await hasher.hash("correct horse battery"), /^\$2b\$12\$/);
    assert.ok(ticks > 1);
  } finally {
    clearInterval(timer);
    hasher.close();
  }
});

Deno.test("no hash and a broken hash match nothing", () =>
  withHasher(async (hasher) => {
    for (const hash of [null, "", "!", "$2b$04$tooshort"]) {
      assert.equal(await hasher.matches("anything at all", hash), false);
    }
  }));

Deno.test("a password past bcrypt's 72 bytes does not match by its beginning", () =>
  withHasher(async (hasher) => {
    const hash = await hasher.hash("x".repeat(72));
    assert.equal(await hasher.matches("x".repeat(72), hash), true);
    assert.equal(await hasher.matches("x".repeat(73), hash), false);
  }));

Deno.test("answers find their question when many wait", () =>
  withHasher(async (hasher) => {
    const hashes = await Promise.all(["a", "b", "c"].map((password) => hasher.hash(password)));
    const matrix = await Promise.all(
      ["a", "b", "c"].flatMap((word) => hashes.map((hash) => hasher.matches(word, hash))),
    );
    assert.deepEqual(matrix, [true, false, false, false, true, false, false, false, true]);
  }));

Deno.test("a flood is refused with 503 instead of waiting for ever", () =>
  withHasher(async (hasher) => {
    const attempts = Array.from({ length: 40 }, () => hasher.hash("a"));
    const refused = (await Promise.allSettled(attempts)).filter((one) => one.status === "rejected");
    assert.equal(refused.length, 8);
    for (const { reason } of refused) assert.ok(reason instanceof Fault && reason.status === 503);
  }));

Deno.test("the worker starts at the first password and ends when idle", () =>
  withHasher(async (hasher) => {
    assert.equal(hasher.running, false);
    const hash = hasher.hash("a");
    assert.equal(hasher.running, true);
    await hash;
    while (hasher.running) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.equal(await hasher.matches("a", await hash), true, "it starts again");
  }, { idleTime: 1 }));

Deno.test("closing refuses what still waits", async () => {
  const hasher = new PasswordHasher();
  const hash = hasher.hash("a");
  hasher.close();
  await assert.rejects(hash, (error: unknown) => error instanceof Fault && error.status === 503);
});
