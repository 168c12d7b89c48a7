/**
 * Text with variables: `{{name}}` stands for a value. A tag that is malformed, or names
 * what is not there, stays as it was written.
 */

const TAG = /\{\{[ \t]*(\w{1,64})[ \t]*\}\}/g;

interface Tag {
  readonly name: string;
  /** As it was written. */
  readonly text: string;
}

export class Template {
  /** Plain text and tags in turn. */
  readonly #parts: readonly (string | Tag)[];

  constructor(text: string) {
    const parts: (string | Tag)[] = [];
    let end = 0;
    for (const { 0: tag, 1: name = "", index } of text.matchAll(TAG)) {
      parts.push(text.slice(end, index), { name, text: tag });
      end = index + tag.length;
    }
    this.#parts = [...parts, text.slice(end)];
  }

  /**
   * The text with its values, trimmed; null if it grows longer than `maxLength`.
   *
   * @param valueOf what stands for a name; undefined leaves the tag
   */
  fill(valueOf: (name: string) => string | undefined, maxLength: number): string | null {
    let filled = "";
    for (const part of this.#parts) {
      filled += typeof part === "string" ? part : valueOf(part.name) ?? part.text;
      if (filled.length > maxLength) return null;
    }
    return filled.trim();
  }
}
