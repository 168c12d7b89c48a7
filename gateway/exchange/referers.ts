/**
 * Which pages a call may come from, by the `Referer` and `Origin` that its browser
 * sends. It keeps a key from being used by other people's pages; whoever is no
 * browser sends what it likes.
 */
import { Glob } from "../patterns/glob.ts";

/** A pattern such as `https://*.example.org/*`, ready. */
export interface RefererPattern {
  readonly page: Glob;
  /** The same without its path, as origins have none. */
  readonly origin: Glob;
}

export function compileReferers(patterns: readonly string[]): readonly RefererPattern[] {
  return patterns.map((pattern) => ({
    page: new Glob(pattern),
    origin: new Glob(withoutPath(pattern)),
  }));
}

/** The path begins at the first slash, or the first one after the `//` that ends the scheme. */
function withoutPath(pattern: string): string {
  const slashes = pattern.indexOf("//");
  const path = pattern.indexOf("/", slashes === -1 ? 0 : slashes + 2);
  return path === -1 ? pattern : pattern.slice(0, path);
}

/**
 * Whether one of the patterns allows the page; a call that names no
 * page comes from none of them.
 */
export function comesFrom(headers: Headers, patterns: readonly RefererPattern[]): boolean {
  const page = headers.get("referer")?.toLowerCase();
  const origin = headers.get("origin")?.toLowerCase();
  return patterns.some((pattern) =>
    (page !== undefined && pattern.page.matches(page)) ||
    (origin !== undefined && pattern.origin.matches(origin))
  );
}
