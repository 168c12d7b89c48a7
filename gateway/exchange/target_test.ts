import assert from "node:assert/strict";
import fc from "fast-check";
import { BadRequest } from "./bad_request.ts";
import { canonicalPath, canonicalPrefix, readTarget } from "./target.ts";

function pathOf(target: string): string | null {
  const read = readTarget(`http://a.example${target}`, "a.example", "http");
  return read instanceof BadRequest ? null : read.path;
}

Deno.test("a plain path is left alone, double slashes and all", () => {
  for (const path of ["/", "/v1/things", "//double//slash/", "/a;b=c/~x/$&'()*+,=:@!", "/é/ü"]) {
    assert.equal(pathOf(path), path);
  }
});

Deno.test("percent-encoded unreserved characters are decoded once", () => {
  assert.equal(pathOf("/%61dmin"), "/admin");
  assert.equal(pathOf("/%7Euser/%2Dx%5fy"), "/~user/-x_y");
  assert.equal(pathOf("/%2561"), "/%2561");
});

Deno.test("other escapes stay byte for byte, broken ones too", () => {
  for (const path of ["/a%2Fb", "/a%2fb", "/%E2%82%AC", "/100%", "/%zz", "/a%3Fb", "/%20"]) {
    assert.equal(pathOf(path), path);
  }
});

Deno.test("decoding never completes an escape the client did not write", () => {
  assert.equal(pathOf("/%%361"), null);
  assert.equal(pathOf("/%6%31"), null);
});

Deno.test("a dot segment is refused in any spelling, with any separator around it", () => {
  const spellings = [".", "..", "%2e", "%2E", ".%2e", "%2e.", "%2e%2E"];
  const separators = ["/", "\\", "%2F", "%2f", "%5C", "%5c"];
  for (const dots of spellings) {
    for (const before of separators) {
      assert.equal(pathOf(`/a${before}${dots}`), null, `/a${before}${dots}`);
      for (const after of separators) {
        const path = `/a${before}${dots}${after}b`;
        assert.equal(pathOf(path), null, path);
      }
    }
  }
  for (const fine of ["/...", "/a..b", "/.well-known", "/..a/", "/a%2e.b"]) {
    assert.notEqual(pathOf(fine), null, fine);
  }
});

Deno.test("an encoded control character in the path is refused, in the query it is not", () => {
  for (const escape of ["%00", "%0a", "%0D", "%1f", "%7F"]) {
    assert.equal(pathOf(`/a${escape}b`), null, escape);
    assert.equal(pathOf(`/a?b=${escape}`), "/a");
  }
});

Deno.test("the query is kept byte for byte, and none is not the same as an empty one", () => {
  const queryOf = (target: string) => {
    const read = readTarget(`http://a${target}`, "a", "http");
    return read instanceof BadRequest ? undefined : read.query;
  };
  assert.equal(queryOf("/x"), null);
  assert.equal(queryOf("/x?"), "");
  assert.equal(queryOf("/x??a=?&b=%61/../"), "?a=?&b=%61/../");
  assert.equal(queryOf("?a"), "a");
});

Deno.test("anything but one valid Host that agrees with the target is refused", () => {
  const accepts = (url: string, host: string | null) =>
    !(readTarget(url, host, "http") instanceof BadRequest);
  assert.ok(accepts("http://a.example:99/x", "a.example:99"));
  assert.ok(accepts("http://A.Example/x", "a.example"));
  assert.ok(accepts("http://[::1]:80/x", "[::1]:80"));
  assert.ok(accepts("http://a.example", "a.example"));
  for (const host of [null, "", "a, b", "a/b@c", "user@a", "a b", "a:port", "a:", "é", "a\\b"]) {
    assert.ok(!accepts(`http://${host}/x`, host), String(host));
  }
  assert.ok(!accepts("http://other.example/x", "a.example"));
  assert.ok(!accepts("http://a.example/x#fragment", "a.example"));
});

Deno.test("an absolute-form target has the scheme it came over, and a Host all the same", () => {
  const accepts = (url: string, host: string | null, scheme: "http" | "https") =>
    !(readTarget(url, host, scheme) instanceof BadRequest);
  assert.ok(accepts("HTTP://a.example/x", "a.example", "http"));
  assert.ok(accepts("https://a.example/x", null, "https"));
  assert.ok(!accepts("https://a.example/x", null, "http"));
  for (const scheme of ["https", "ftp", "ws", "file"]) {
    assert.ok(!accepts(`${scheme}://a.example/x`, "a.example", "http"), scheme);
  }
});

Deno.test("a dot segment with a parameter is one to servlet containers, so it is refused", () => {
  for (const path of ["/a/..;/b", "/a/..;x=1/b", "/a/.;/b", "/a/%2e%2e;b", "/a/..%3b/b", "/..;"]) {
    assert.equal(pathOf(path), null, path);
  }
  for (const fine of ["/a;../b", "/a..;b", "/...;x", "/;..x"]) assert.equal(pathOf(fine), fine);
});

Deno.test("property: a canonical path is its own canonical form", () => {
  const piece = fc.constantFrom("/", "%", "2", "e", "E", ".", "a", "%2e", "%61", "%2F", "\\", "5c");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = canonicalPath("/" + pieces.join(""));
      if (once instanceof BadRequest) return;
      assert.equal(canonicalPath(once), once);
      assert.ok(!once.split(/[/\\]|%2f|%5c/i).some((s) => /^(\.|%2e){1,2}$/i.test(s)), once);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("a configured prefix is compared in canonical form", () => {
  assert.equal(canonicalPrefix("/m%61ps/"), "/maps/");
  assert.equal(canonicalPrefix("/münchen/"), "/m%C3%BCnchen/");
});
