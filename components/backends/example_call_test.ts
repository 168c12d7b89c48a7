import assert from "node:assert/strict";
import { type BackendForm, newBackendForm } from "./backend_form.ts";
import { exampleCall, type UrlPiece } from "./example_call.ts";

const base = "https://gateway.example";
const form: BackendForm = {
  ...newBackendForm(),
  servers: [{ host: "api.internal", port: "8080" }],
};

/** The URL as text, what is marked in brackets. */
const shown = (pieces: readonly UrlPiece[] = []) =>
  pieces.map(({ text, differs }) => differs ? `[${text}]` : text).join("");

function example(
  frontend_prefix: string,
  backend_prefix: string,
  changes: Partial<BackendForm> = {},
) {
  const call = exampleCall({ ...form, ...changes }, { frontend_prefix, backend_prefix }, base);
  return call && [shown(call.incoming), shown(call.outgoing)];
}

Deno.test("what a pair changes in a URL is marked, and nothing else", () => {
  assert.deepEqual(example("/weather/", "/v1/"), [
    "[https://][gateway.example][/weather/]example?page=2",
    "[http://][api.internal:8080][/v1/]example?page=2",
  ]);
  assert.deepEqual(example("/weather/", "/weather/", { backend_protocol: "https" }), [
    "https://[gateway.example]/weather/example?page=2",
    "https://[api.internal:8080]/weather/example?page=2",
  ]);
});

Deno.test("an empty backend prefix passes the path on", () => {
  assert.equal(example("/weather", "")?.[1], "[http://][api.internal:8080]/weather/example?page=2");
});

Deno.test("a backend's own host stands in the incoming URL", () => {
  const [incoming] = example("/a/", "/", { frontend_host: "*.example.org" }) ?? [];
  assert.equal(incoming, "[https://][any.example.org][/a/]example?page=2");
});

Deno.test("an IPv6 server is written with brackets", () => {
  const [, outgoing] = example("/a/", "/", { servers: [{ host: "::1", port: "80" }] }) ?? [];
  assert.equal(outgoing, "[http://][[::1]:80][/]example?page=2");
});

Deno.test("as long as something is missing there is no example", () => {
  assert.equal(example("", "/"), null);
  assert.equal(example("weather", "/"), null);
  assert.equal(example("/a/", "/", { servers: [{ host: " ", port: "" }] }), null);
});
