import assert from "node:assert/strict";
import { setsOwnCookie, withoutOwnCookies } from "./own_cookies.ts";

Deno.test("a backend gets a browser's cookies but for the gateway's own", () => {
  assert.equal(withoutOwnCookies("a=1; portico_session=s; b=2"), "a=1; b=2");
  assert.equal(withoutOwnCookies("__Host-portico_session=s; a=1"), "a=1");
  assert.equal(withoutOwnCookies("portico_session=s"), null);
  assert.equal(
    withoutOwnCookies("a=portico_x; xportico_session=1"),
    "a=portico_x; xportico_session=1",
  );
});

Deno.test("a backend cannot plant one of the gateway's cookies, with a name or without", () => {
  for (
    const planted of [
      "portico_session=evil",
      " __Host-portico_session=evil; Secure; Path=/",
      "portico_session",
      "=portico_session=evil", // browsers send it back as portico_session=evil
      "\t= portico_session=evil",
      "=__Host-portico_session=evil",
    ]
  ) assert.equal(setsOwnCookie(planted), true, planted);
  for (const other of ["a=portico_session", "xportico_session=1", "=a", ""]) {
    assert.equal(setsOwnCookie(other), false, other);
  }
});
