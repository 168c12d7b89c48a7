import assert from "node:assert/strict";
import type { State } from "@/define.ts";
import { Fault } from "@/gateway/faults.ts";
import { refusePlainHttp, securePage } from "./plain_http.ts";

interface Given {
  readonly https_port?: number | null;
  readonly base_url?: string | null;
  readonly scheme?: "http" | "https";
  readonly direct?: boolean;
}

function state({ https_port = 8443, base_url = null, scheme = "http", direct = false }: Given) {
  const client = { scheme, direct, host: "g.example:8080" };
  return { portico: { config: { https_port, base_url } }, client } as State;
}

function pageFor(path: string, given: Given = {}, method = "GET"): string | null {
  const url = new URL(path, "http://g.example:8080");
  return securePage(state(given), new Request(url, { method }), url);
}

Deno.test("with HTTPS on, sign-up and admin pages move there", () => {
  assert.equal(pageFor("/signup/"), "https://g.example:8443/signup/");
  assert.equal(pageFor("/admin"), "https://g.example:8443/admin");
  assert.equal(
    pageFor("/admin/logs?a=%20b", {}, "HEAD"),
    "https://g.example:8443/admin/logs?a=%20b",
  );
  assert.equal(pageFor("/signup/", { https_port: 443 }), "https://g.example/signup/");
  assert.equal(pageFor("/signup/", { base_url: "https://a.example" }), "https://a.example/signup/");
});

Deno.test("the homepage, files, the REST API and what is no page stay where they are", () => {
  for (const path of ["/", "/portico/styles.css", "/_fresh/js/1.js", "/admin/api/v1/backends"]) {
    assert.equal(pageFor(path), null, path);
  }
  assert.equal(pageFor("/signup/", {}, "POST"), null);
});

Deno.test("without HTTPS, over HTTPS and at the machine itself pages and forms are served", () => {
  for (const given of [{ https_port: null }, { scheme: "https" as const }, { direct: true }]) {
    assert.equal(pageFor("/admin/", given), null);
    refusePlainHttp(state(given), "/admin/");
  }
});

Deno.test("a form sent over plain HTTP is refused, and the message says where to go", () => {
  assert.throws(() => refusePlainHttp(state({}), "/signup/"), (error: unknown) => {
    assert.ok(error instanceof Fault && error.status === 400);
    assert.match(error.message, /https:\/\/g\.example:8443\/signup\/ /);
    return true;
  });
});
