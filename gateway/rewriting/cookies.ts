/**
 * Cookies that backends do not get, by their names: those of visitor statistics by
 * default, which would keep answers out of the cache.
 */
import { fieldValue, type HeaderFields } from "../exchange/header_fields.ts";
import { Pattern } from "../patterns/pattern.ts";

export class StrippedCookies {
  readonly #names: readonly Pattern[];

  /** @param names expressions for the names of cookies */
  constructor(names: readonly string[]) {
    this.#names = names.map((source) => new Pattern(source));
  }

  /** The fields with what is left of their cookies; without the field if that is nothing. */
  stripFrom(fields: HeaderFields): HeaderFields {
    if (fieldValue(fields, "cookie") === undefined) return fields;
    return fields
      .map(([name, value]) => [name, name === "cookie" ? this.strip(value) : value] as const)
      .filter(([name, value]) => name !== "cookie" || value !== "");
  }

  /** A `Cookie` field's value with one space behind each semicolon; empty when nothing is left. */
  strip(cookie: string): string {
    return cookie.split(";").map(withoutOuterSpace)
      .filter((pair) => pair !== "" && !this.#isStripped(cookieName(pair))).join("; ");
  }

  #isStripped(name: string): boolean {
    return this.#names.some((pattern) => pattern.test(name));
  }
}

function cookieName(pair: string): string {
  const equals = pair.indexOf("=");
  return equals === -1 ? pair : withoutOuterSpace(pair.slice(0, equals));
}

/**
 * Not `trim`: to it the byte A0 is a space, and so a value of UTF-8
 * that ends in `à` would break.
 */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
