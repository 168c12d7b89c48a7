import assert from "node:assert/strict";
import { readTheme, themeCookie } from "./theme.ts";

const themeOf = (cookie: string) => readTheme(new Headers({ cookie }));

Deno.test("the theme is the system's until somebody chooses", () => {
  assert.equal(readTheme(new Headers()), "system");
  assert.equal(themeOf("other=dark"), "system");
  assert.equal(themeOf("portico_theme=purple"), "system");
  assert.equal(themeOf("not_portico_theme=dark"), "system");
});

Deno.test("a chosen theme comes back with the cookie it was kept in", () => {
  const [pair = ""] = themeCookie("dark").split(";");
  assert.equal(themeOf(`a=b; ${pair}; c=d`), "dark");
});

Deno.test("choosing the system's theme forgets the choice", () => {
  assert.match(themeCookie("system"), /^portico_theme=; Max-Age=0;/);
});
