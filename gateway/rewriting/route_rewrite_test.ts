import assert from "node:assert/strict";
import { type Rewrite, rewrites } from "../records/rewrites.ts";
import { fieldErrors } from "../records/validate.ts";
import { RoutePattern } from "./route_pattern.ts";
import { RouteRewrite } from "./route_rewrite.ts";

/** What becomes of a target; it stays the same where the route does not match. */
function rewritten(matcher: string, replacement: string, target: string): string {
  return new RouteRewrite(new RoutePattern(matcher), replacement).applyTo(target);
}

function matches(matcher: string, target: string): boolean {
  return rewritten(matcher, "/matched", target) === "/matched";
}

Deno.test("a name stands for a part of the path up to the next slash, or to what follows it", () => {
  assert.equal(rewritten("/users/:id", "/u/{{id}}", "/users/12"), "/u/12");
  assert.equal(rewritten("/:a/:b", "/{{b}}/{{a}}", "/x/y"), "/y/x");
  assert.equal(rewritten("/:id.:ext", "/{{ext}}/{{id}}", "/12.json"), "/json/12");
  assert.equal(rewritten("/v:major/x", "/{{major}}", "/v2/x"), "/2");
  for (const other of ["/users/", "/users/1/2", "/users", "/Users/1", "/x/users/1"]) {
    assert.ok(!matches("/users/:id", other), other);
  }
});

Deno.test("a splat stands for anything, slashes and nothing among it", () => {
  assert.equal(rewritten("/files/*path", "/f/{{path}}", "/files/a/b%2Fc/"), "/f/a/b%2Fc/");
  assert.equal(rewritten("/files/*path", "/f/{{path}}", "/files/"), "/f/");
  assert.equal(rewritten("/a/*mid/z", "/{{mid}}", "/a/b/c/z"), "/b/c");
  assert.ok(matches("/a/*/z", "/a/b/c/z"));
  assert.ok(!matches("/files/*path", "/files"));
});

Deno.test("a slash at the end is optional, and marks have no meaning of their own", () => {
  assert.ok(matches("/a/b", "/a/b/") && matches("/a/b/", "/a/b") && matches("/", "/"));
  assert.ok(matches("/a.b+(c)", "/a.b+(c)"));
  assert.ok(!matches("/a.b", "/axb"));
});

Deno.test("paths are compared in canonical form", () => {
  assert.ok(matches("/%7Euser/caf\u00e9", "/~user/caf%C3%A9"));
});

Deno.test("of the query all that is listed has to be there and nothing else, in any order", () => {
  const route = "/s?q=:q&lang=en";
  assert.equal(rewritten(route, "/find/{{q}}", "/s?lang=en&q=x"), "/find/x");
  assert.equal(rewritten(route, "/find/{{q}}", "/s?l%61ng=%65n&q=x"), "/find/x");
  for (const query of ["", "?q=x", "?lang=en", "?q=x&lang=de", "?q=x&lang=en&more=1"]) {
    assert.ok(!matches(route, `/s${query}`), query);
  }
  assert.ok(matches("/s?flag", "/s?flag=") && matches("/s?", "/s"));
});

Deno.test("arguments that come repeatedly are one, joined with commas", () => {
  assert.equal(rewritten("/s?id=:id", "/s?ids={{id}}", "/s?id=1&id=2"), "/s?ids=1%2C2");
});

Deno.test("a route without a query matches any, which is dropped", () => {
  assert.equal(rewritten("/a/:b", "/{{b}}", "/a/x?y=z"), "/x");
});

Deno.test("what came from the path stands in the path as it came, and escaped in the query", () => {
  const route = "/a/:b";
  assert.equal(rewritten(route, "/{{b}}/c", "/a/x%2Fy;z=1"), "/x%2Fy;z=1/c");
  assert.equal(rewritten(route, "/c?d={{b}}", "/a/x%2Fy&e=1+2"), "/c?d=x%2Fy%26e%3D1%2B2");
  assert.equal(rewritten(route, "/c?d={{{b}}}", "/a/x&e=1"), "/c?d=x%26e%3D1");
  assert.equal(rewritten(route, "/c?d={{b}}", "/a/100%"), "/c?d=100%25");
});

Deno.test("what came from the query can begin no segment and no argument", () => {
  const route = "/a?b=:b";
  assert.equal(rewritten(route, "/{{b}}/c", "/a?b=x/y?z+1"), "/x%2Fy%3Fz%201/c");
  assert.equal(rewritten(route, "/c?d={{b}}", "/a?b=x%26e=1"), "/c?d=x%26e%3D1");
});

Deno.test("a section may leave out a part, and an empty query its question mark", () => {
  const replacement = "/b?{{#x}}x={{x}}{{/x}}";
  assert.equal(rewritten("/a?x=:x", replacement, "/a?x=1"), "/b?x=1");
  assert.equal(rewritten("/a?x=:x", replacement, "/a?x="), "/b");
});

Deno.test("a route that makes no sense is refused when it is saved, with its place", () => {
  const error = (frontend_matcher: string, backend_replacement = "/") => {
    const rewrite: Rewrite = {
      matcher_type: "route",
      http_method: "any",
      frontend_matcher,
      backend_replacement,
    };
    const [first] = fieldErrors(rewrites, [rewrite]);
    return first && `${first.field} ${first.message}`;
  };
  const matcher = "[0].frontend_matcher has an error at character ";
  assert.equal(error("/a/:id", "/b/{{id}}"), undefined);
  assert.equal(error("a"), `${matcher}1: it must start with "/"`);
  assert.equal(error("/:a/:a"), `${matcher}5: the name "a" is there twice`);
  assert.equal(error("/x?a=1&b=2&%61=3"), `${matcher}12: the argument "a" is listed twice`);
  assert.match(error("/x?*all") ?? "", /character 4: a query has no wildcard/);
  assert.match(error("/x/../y") ?? "", /character 1: The path holds the segment/);

  const replacement = "[0].backend_replacement has an error at character ";
  assert.equal(
    error("/a/:id", "/b/{{nid}}"),
    `${replacement}4: "nid" stands for nothing: the route captures id`,
  );
  assert.equal(error("/a/:id", "/b?x={{id"), `${replacement}9: Unclosed tag`);
  assert.equal(error("/a", "b"), `${replacement}1: it must start with "/"`);
  assert.match(error("/a/:b", "/{{b}}/../c") ?? "", /character 1: As it is rewritten: The path/);
  assert.match(error("/a", "/b\n/c") ?? "", /backend_replacement must be on one line/);
});
