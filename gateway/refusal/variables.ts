/** What the tags of a refusal's templates stand for. */
import type { Template } from "./template.ts";

/** What every call gives, whether its settings say anything or not. */
export const callVariables = [
  "base_url",
  "contact_url",
  "https_url",
  "reason",
  "request_id",
  "signup_url",
] as const;

type CallVariable = (typeof callVariables)[number];

export type CallVariables = Readonly<Record<CallVariable, string>>;

/** Text may hold tags itself. */
export type Value = Template | number | boolean;

/** Text that grows longer, with others in it that hold others, is none. */
const MAX_LENGTH = 16_384;

export class Variables {
  readonly #own: ReadonlyMap<string, Value>;
  readonly #given: CallVariables;
  readonly #resolved = new Map<string, string>();
  /** Those whose text is being made: one that is asked for meanwhile holds itself. */
  readonly #open = new Set<string>();

  /**
   * @param own what settings say; it goes before `given`
   * @param given what the call says; tags in these are text like any other, so that nobody
   *   has a template filled in by calling a URL with one
   */
  constructor(own: ReadonlyMap<string, Value>, given: CallVariables) {
    this.#own = own;
    this.#given = given;
  }

  /** The value of a name, also by its older spelling (`signupUrl`); undefined if there is none. */
  value(name: string): string | number | boolean | undefined {
    return this.#value(name) ?? this.#value(snakeCase(name));
  }

  /** The same as text; empty if there is none. */
  text(name: string): string {
    return String(this.value(name) ?? "");
  }

  #value(name: string): string | number | boolean | undefined {
    const own = this.#own.get(name);
    if (own === undefined || this.#open.has(name)) {
      return isOfCall(name) ? this.#given[name] : undefined;
    }
    if (typeof own !== "object") return own;
    const resolved = this.#resolved.get(name);
    if (resolved !== undefined) return resolved;
    this.#open.add(name);
    const filled = own.fill((inner) => this.#innerText(inner), MAX_LENGTH) ?? "";
    this.#open.delete(name);
    this.#resolved.set(name, filled);
    return filled;
  }

  #innerText(name: string): string | undefined {
    const value = this.value(name);
    return value === undefined ? undefined : String(value);
  }
}

const OF_CALLS: ReadonlySet<string> = new Set(callVariables);

function isOfCall(name: string): name is CallVariable {
  return OF_CALLS.has(name);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
