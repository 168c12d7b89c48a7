/** The choice between light and dark, as the browser remembers it. */

export type ThemeChoice = "light" | "dark" | "system";

const COOKIE = "portico_theme";
const YEAR_SECONDS = 31_536_000;

/** What the visitor chose earlier; `system` if nothing. */
export function readTheme(headers: Headers): ThemeChoice {
  const found = headers.get("cookie")?.match(/(?:^|;\s*)portico_theme=(light|dark)(?:;|$)/);
  return themeChoice(found?.[1]);
}

export function themeChoice(value: unknown): ThemeChoice {
  return value === "light" || value === "dark" ? value : "system";
}

/** The `Set-Cookie` value that keeps a choice for a year, or forgets it. */
export function themeCookie(theme: ThemeChoice): string {
  const value = theme === "system" ? "; Max-Age=0" : `${theme}; Max-Age=${YEAR_SECONDS}`;
  return `${COOKIE}=${value}; Path=/; SameSite=Lax; HttpOnly`;
}
