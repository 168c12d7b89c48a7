/**
 * Reads a new password from whoever runs a command: at a terminal without showing
 * it, and twice, because a typing error would go unseen; from a pipe, its first line.
 */
import * as v from "valibot";
import { defaultConfiguration } from "../config/configuration.ts";
import { newPassword } from "../records/admin.ts";

/** The part of `Deno.stdin` that passwords come from; tests have their own. */
export interface PasswordSource {
  readonly readable: ReadableStream<Uint8Array>;
  isTerminal(): boolean;
  /** Whether keys come one by one and unseen, instead of by lines. */
  setRaw(on: boolean): void;
}

/** Why there is no password, for a person. It never quotes what was typed. */
export class NoPassword extends Error {
  override readonly name = "NoPassword";
}

const rules = newPassword(defaultConfiguration.web.admin.password_length_min);

/** Gives a password that keeps the rules. Throws `NoPassword`; `ask` shows a prompt. */
export async function readNewPassword(
  source: PasswordSource,
  ask: (prompt: string) => void,
): Promise<string> {
  const characters = charactersOf(source.readable);
  if (!source.isTerminal()) return checked((await pipedLine(characters)).replace(/\r$/, ""));
  source.setRaw(true);
  try {
    ask("Password: ");
    const password = checked(await typedLine(characters, ask));
    ask("The same again: ");
    if (await typedLine(characters, ask) !== password) {
      throw new NoPassword("these were two different passwords");
    }
    return password;
  } finally {
    source.setRaw(false);
  }
}

function checked(password: string): string {
  const result = v.safeParse(rules, password);
  if (!result.success) throw new NoPassword(`the password ${result.issues[0].message}`);
  return result.output;
}

async function* charactersOf(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  try {
    for await (const part of bytes) yield* decoder.decode(part, { stream: true });
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new NoPassword("the password must be text in UTF-8");
  }
}

async function pipedLine(characters: AsyncGenerator<string, undefined>): Promise<string> {
  let line = "";
  for await (const character of characters) {
    if (character === "\n") break;
    line += character;
  }
  return line;
}

/** What the keys of a raw terminal mean that are no text. */
const KEYS = { interrupt: "\x03", endOfInput: "\x04", clearLine: "\x15", backspace: "\x7f\b" };

/** A line as it was meant: keys that take back are obeyed. The end of the line is shown. */
async function typedLine(
  characters: AsyncGenerator<string, undefined>,
  ask: (prompt: string) => void,
): Promise<string> {
  let line: string[] = [];
  for (;;) {
    const { value: key } = await characters.next();
    if (key === undefined || key === KEYS.interrupt || key === KEYS.endOfInput) {
      ask("\r\n");
      throw new NoPassword("no password was given");
    }
    if (key === "\r" || key === "\n") {
      ask("\r\n");
      return line.join("");
    }
    if (key === KEYS.clearLine) line = [];
    else if (KEYS.backspace.includes(key)) line.pop();
    else line.push(key);
  }
}
