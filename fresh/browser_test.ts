import assert from "node:assert/strict";
import { type Browser, complaintsOf, launchBrowser, type Page } from "../tests/harness/browser.ts";
import { Builder } from "./dev.ts";
import { app } from "./testdata/site/server.ts";

interface Visit {
  readonly page: Page;
  readonly browser: Browser;
  readonly origin: string;
  /** Builds the site anew, as after a change. */
  readonly rebuild: () => void;
}

/** Serves the example site and runs `use` with a browser; the page is to have nothing to complain about. */
async function visiting(mode: "production" | "development", use: (visit: Visit) => Promise<void>) {
  const root = `${import.meta.dirname}/testdata/site`;
  const apply = await new Builder({ root }).build({ mode, snapshot: "memory" });
  apply(app);
  let handler = app.handler();
  const rebuild = () => {
    apply(app);
    handler = app.handler();
  };
  const server = Deno.serve({ port: 0, onListen() {} }, (req, info) => handler(req, info));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await use({ page, browser, origin: `http://localhost:${server.addr.port}`, rebuild });
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
    await server.shutdown();
  }
}

/** Playwright keeps its connection to the browser process for as long as this one runs. */
const options = { sanitizeResources: false, sanitizeOps: false };

Deno.test("islands come alive in place and share what was one signal", options, async () => {
  await visiting("production", async ({ page, origin }) => {
    await page.addInitScript(() => {
      const removed: string[] = [];
      Reflect.set(globalThis, "removedElements", removed);
      new MutationObserver((records) => {
        for (const { removedNodes } of records) {
          for (const node of removedNodes) {
            if (node instanceof Element) removed.push(node.outerHTML);
          }
        }
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${origin}/counters`);
    const ids = await page.locator("output").evaluateAll((all) => all.map(({ id }) => id));
    await page.getByRole("button", { name: "Add to first" }).click();
    await page.getByRole("button", { name: "Add to second" }).click();
    assert.equal(await page.getByLabel("first").textContent(), "5");
    assert.equal(await page.getByLabel("second").textContent(), "5");
    assert.equal(await page.locator(".total").textContent(), "5");
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(await page.evaluate(() => Reflect.get(globalThis, "removedElements")), []);
  });
});

Deno.test("an island shows what the page gave it, islands in it included", options, async () => {
  await visiting("production", async ({ page, origin }) => {
    await page.goto(`${origin}/counters`);
    const toggle = page.getByRole("button", { name: "Details" });
    await toggle.click();
    assert.equal(await page.getByRole("button", { name: "never" }).isDisabled(), true);
    await page.getByRole("button", { name: "Add to third" }).click();
    assert.equal(await page.getByLabel("third").textContent(), "11");
    await toggle.click();
    assert.equal(await page.getByLabel("third").count(), 0);
    // Open from the start: there is server-rendered HTML to be taken over.
    const open = page.locator("#open");
    assert.match(await open.innerHTML(), /<em>kept<\/em>/);
    await open.getByRole("button", { name: "Add to fourth" }).click();
    assert.equal(await page.getByLabel("fourth").textContent(), "21");
  });
});

Deno.test("an island changes the head of the document", options, async () => {
  await visiting("production", async ({ page, origin }) => {
    await page.goto(`${origin}/titled`);
    assert.equal(await page.title(), "0 new");
    await page.getByRole("button", { name: "More" }).click();
    await page.waitForFunction(() => document.title === "1 new");
    const robots = page.locator('meta[name="robots"]');
    assert.equal(await robots.count(), 1);
    assert.equal(await robots.getAttribute("content"), "max-snippet:1");
  });
});

Deno.test("a page without islands loads no script", options, async () => {
  await visiting("production", async ({ page, origin }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.resourceType()));
    await page.goto(origin, { waitUntil: "networkidle" });
    assert.deepEqual(requests.toSorted(), ["document", "image", "stylesheet"]);
  });
});

Deno.test("without JavaScript a page shows what the server rendered", options, async () => {
  await visiting("production", async ({ browser, origin }) => {
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(`${origin}/counters`);
    assert.equal(await page.locator("output").first().textContent(), "3");
    assert.equal(await page.title(), "Counters");
  });
});

Deno.test("in development an open page reloads when there is another build", options, async () => {
  await visiting("development", async ({ page, origin, rebuild }) => {
    await page.goto(`${origin}/counters`);
    await page.waitForResponse((response) => response.url().endsWith("/_fresh/alive"));
    const reloaded = page.waitForEvent("framenavigated");
    rebuild();
    await reloaded;
    await page.getByRole("button", { name: "Add to first" }).click();
    assert.equal(await page.getByLabel("first").textContent(), "4");
  });
});
