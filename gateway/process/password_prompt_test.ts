import assert from "node:assert/strict";
import { NoPassword, readNewPassword } from "./password_prompt.ts";

/** What is asked and answered when these parts come in, one read after another. */
async function reading(parts: readonly (string | Uint8Array)[], terminal: boolean) {
  const encoder = new TextEncoder();
  const raw: boolean[] = [];
  let asked = "";
  const source = {
    readable: ReadableStream.from(
      parts.map((part) => typeof part === "string" ? encoder.encode(part) : part),
    ),
    isTerminal: () => terminal,
    setRaw: (on: boolean) => void raw.push(on),
  };
  const answer = await readNewPassword(source, (prompt) => asked += prompt).catch((error) => {
    assert(error instanceof NoPassword, String(error));
    return error;
  });
  return { answer: answer instanceof NoPassword ? `no: ${answer.message}` : answer, asked, raw };
}

const piped = async (...parts: (string | Uint8Array)[]) => (await reading(parts, false)).answer;
const typed = (...parts: string[]) => reading(parts, true);

Deno.test("from a pipe the first line is the password, blanks and all", async () => {
  assert.equal(await piped("  correct horse \nmore\n"), "  correct horse ");
  assert.equal(await piped("correct horse", " battery"), "correct horse battery");
  assert.equal(await piped("correct horse battery\r\n"), "correct horse battery");
});

Deno.test("a password keeps the rules of the admin, and no message quotes it", async () => {
  assert.equal(
    await piped("thirteen char\n"),
    "no: the password is too short (minimum is 14 characters)",
  );
  assert.equal(await piped(""), "no: the password is too short (minimum is 14 characters)");
  assert.equal(await piped("é".repeat(37)), "no: the password is too long (maximum is 72 bytes)");
});

Deno.test("a letter may come in two reads; bytes that are no text are refused", async () => {
  const bytes = new TextEncoder().encode("correct hörse battery");
  assert.equal(await piped(bytes.subarray(0, 10), bytes.subarray(10)), "correct hörse battery");
  const latin = Uint8Array.from("correct h\xf6rse battery", (letter) => letter.charCodeAt(0));
  assert.equal(await piped(latin), "no: the password must be text in UTF-8");
});

Deno.test("at a terminal it is asked for twice, and never shown", async () => {
  const { answer, asked, raw } = await typed(
    "correct horse",
    " battery\r",
    "correct horse battery\r",
  );
  assert.equal(answer, "correct horse battery");
  assert.equal(asked, "Password: \r\nThe same again: \r\n");
  assert.deepEqual(raw, [true, false]);
});

Deno.test("keys that take back are obeyed", async () => {
  const { answer } = await typed(
    "nonsense\x15correct horse batterx\x7fy\r",
    "correct horse battery\r",
  );
  assert.equal(answer, "correct horse battery");
});

Deno.test("two different passwords, Ctrl-C and Ctrl-D give none, and the terminal is as before", async () => {
  const outcomes = [
    await typed("correct horse battery\r", "correct horse batterx\r"),
    await typed("correct\x03"),
    await typed("\x04"),
    await typed("short\r"),
  ];
  assert.deepEqual(outcomes.map(({ answer }) => answer), [
    "no: these were two different passwords",
    "no: no password was given",
    "no: no password was given",
    "no: the password is too short (minimum is 14 characters)",
  ]);
  for (const { raw } of outcomes) assert.deepEqual(raw, [true, false]);
});
