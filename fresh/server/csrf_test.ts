import assert from "node:assert/strict";
import { App, csrf } from "../mod.ts";

const SITE = "https://site.example";

async function statusOf(headers: HeadersInit, { method = "POST", origin }: {
  method?: string;
  origin?: string[];
} = {}): Promise<number> {
  const app = new App().use(csrf(origin ? { origin } : {})).all("/", (ctx) => ctx.text(""));
  return (await app.handler()(new Request(SITE, { method, headers }))).status;
}

Deno.test("a form of this site passes, one of another is refused", async () => {
  assert.equal(await statusOf({ "sec-fetch-site": "same-origin", origin: SITE }), 200);
  assert.equal(await statusOf({ "sec-fetch-site": "none" }), 200);
  assert.equal(await statusOf({ origin: SITE }), 200);
  assert.equal(await statusOf({ "sec-fetch-site": "cross-site" }), 403);
  assert.equal(await statusOf({ "sec-fetch-site": "same-site" }), 403);
  assert.equal(await statusOf({ origin: "https://evil.example" }), 403);
  assert.equal(await statusOf({ origin: "null" }), 403);
});

Deno.test("what only reads passes from anywhere", async () => {
  assert.equal(await statusOf({ "sec-fetch-site": "cross-site" }, { method: "GET" }), 200);
});

Deno.test("a client that is no browser sends neither header and passes", async () => {
  assert.equal(await statusOf({}), 200);
});

Deno.test("other origins can be let in", async () => {
  const headers = { "sec-fetch-site": "cross-site", origin: "https://forms.example" };
  assert.equal(await statusOf(headers, { origin: ["https://forms.example"] }), 200);
  assert.equal(await statusOf({ origin: SITE }, { origin: ["https://forms.example"] }), 403);
});
