import assert from "node:assert/strict";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";
import { Builder } from "./dev.ts";
import { app } from "./testdata/site/server.ts";

Deno.test(
  "probe",
  { sanitizeOps: false, sanitizeResources: false },
  async () => {
    const apply = await new Builder({
      root: `${import.meta.dirname}/testdata/site`,
    }).build({ snapshot: "memory", mode: "development" });
    apply(app);
    const server = Deno.serve({ port: 0, onListen() {} }, app.handler());
    const browser = await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: [
        ...chromium.args,
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    const page = await browser.newPage();
    page.on("console", (m) => console.log("console", m.type(), m.text()));
    page.on("pageerror", (e) => console.log("pageerror", e.message));
    await page.goto(`http://localhost:${server.addr.port}/counters`);
    await page.getByRole("button", { name: "Add to first" }).click();
    await page.getByRole("button", { name: "Details" }).click();
    console.log(await page.content());
    console.log(await page.locator("output").allTextContents());
    await browser.close();
    await server.shutdown();
  },
);
