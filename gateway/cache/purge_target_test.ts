import assert from "node:assert/strict";
import { Fault } from "../faults.ts";
import { readPurgeTarget } from "./purge_target.ts";

/** Which of these a purge is for. */
function meant(input: unknown, ...urls: string[]): string[] {
  const target = readPurgeTarget(input);
  return target === "all" ? urls : urls.filter((url) => target({ backend: "b", url }));
}

Deno.test("a prefix is for all that begins with it, at one host or at any", () => {
  const urls = ["https://a.example/shop/", "http://b.example/shop/1?x", "https://a.example/shops"];
  assert.deepEqual(meant({ prefix: "/shop/" }, ...urls), urls.slice(0, 2));
  assert.deepEqual(meant({ prefix: "HTTPS://A.example:443/shop" }, ...urls), [urls[0], urls[2]]);
  assert.deepEqual(meant({ prefix: "/%73hop/" }, ...urls), urls.slice(0, 2));
});

Deno.test("a URL is for exactly that, with its query but for the API key", () => {
  const urls = ["https://a.example/x", "https://a.example/x?a=1", "https://b.example/x?a=1"];
  assert.deepEqual(meant({ url: "/x" }, ...urls), [urls[0]]);
  assert.deepEqual(meant({ url: "/x?a=1&api_key=k" }, ...urls), urls.slice(1));
  assert.deepEqual(meant({ url: "https://a.example/x?a=1" }, ...urls), [urls[1]]);
});

Deno.test("a backend is for its own answers", () => {
  assert.deepEqual(meant({ backend_id: "b" }, "u"), ["u"]);
  assert.deepEqual(meant({ backend_id: "c" }, "u"), []);
});

Deno.test("a purge that names nothing, several things or no place is refused", () => {
  for (
    const input of [
      {},
      { all: false },
      { prefix: "" },
      { prefix: "/", url: "/" },
      { url: "shop/" },
      { prefix: "ftp://a.example/" },
      { url: "https://user@a.example/" },
      { url: "/a b" },
      { everything: true },
    ]
  ) {
    assert.throws(
      () => readPurgeTarget(input),
      (error) => error instanceof Fault && error.kind === "INVALID_INPUT",
      JSON.stringify(input),
    );
  }
});
