import assert from "node:assert/strict";
import { clearedSessionCookie, readSessionCookie, sessionCookie } from "./session_cookie.ts";

const withCookie = (cookie: string) => new Headers({ cookie });

Deno.test("the cookie is out of reach of scripts and other sites, and over HTTPS of plain HTTP", () => {
  assert.equal(
    sessionCookie("abc", "http"),
    "portico_session=abc; Path=/; HttpOnly; SameSite=Lax",
  );
  assert.equal(
    sessionCookie("abc", "https"),
    "__Host-portico_session=abc; Path=/; HttpOnly; SameSite=Lax; Secure",
  );
  assert.equal(
    clearedSessionCookie("http"),
    "portico_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
  );
});

Deno.test("the session is found among other cookies", () => {
  assert.equal(readSessionCookie(withCookie("a=1; portico_session=abc; b=2"), "http"), "abc");
  assert.equal(readSessionCookie(withCookie("__Host-portico_session=abc"), "https"), "abc");
});

Deno.test("look-alikes, the other scheme's cookie and no cookie are no session", () => {
  const none = ["", "a=1", "xportico_session=abc", "portico_session", "portico_sessions=abc"];
  for (const cookie of none) assert.equal(readSessionCookie(withCookie(cookie), "http"), null);
  assert.equal(readSessionCookie(new Headers(), "http"), null);
  assert.equal(readSessionCookie(withCookie("portico_session=abc"), "https"), null);
});

Deno.test("of two session cookies neither is believed", () => {
  const two = "portico_session=planted; portico_session=abc";
  assert.equal(readSessionCookie(withCookie(two), "http"), null);
  const repeated = new Headers([["cookie", "portico_session=a"], ["cookie", "portico_session=b"]]);
  assert.equal(readSessionCookie(repeated, "http"), null);
});
