/**
 * Patterns in which `*` stands for any characters, none included; all else is plain
 * text, letters of both cases alike. The whole text must match. Time grows with text
 * and pattern, never with the ways to divide the text: each piece between two stars
 * is sought once, from where the one before ended.
 */
export class Glob {
  readonly #first: string;
  readonly #middle: readonly string[];
  /** Null: there is no star. */
  readonly #last: string | null;

  constructor(source: string) {
    const [first = "", ...rest] = source.toLowerCase().split(/\*+/);
    this.#first = first;
    this.#last = rest.pop() ?? null;
    this.#middle = rest;
  }

  /** Whether the pattern matches `text`, which is in lower case. */
  matches(text: string): boolean {
    if (this.#last === null) return text === this.#first;
    const end = text.length - this.#last.length;
    let at = this.#first.length;
    if (end < at || !text.startsWith(this.#first) || !text.endsWith(this.#last)) return false;
    for (const piece of this.#middle) {
      const found = text.indexOf(piece, at);
      if (found === -1) return false;
      at = found + piece.length;
    }
    return at <= end;
  }
}
