/**
 * A person at a browser, for tests of pages: what the pages complain about is gathered, and
 * axe looks at them in light and in dark, wide and narrow.
 */
import assert from "node:assert/strict";
import {
  accessibilityFaults,
  type Browser,
  type BrowserContext,
  complaintsOf,
  type Page,
} from "./browser.ts";

/** Playwright keeps its connection to the browser process for as long as this one runs. */
export const browserTest = { sanitizeResources: false, sanitizeOps: false };

/** A person at a window of their own. */
export class Visitor {
  readonly complaints: string[];
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly base: string,
  ) {
    this.complaints = complaintsOf(page);
  }

  static async open(browser: Browser, base: string, javaScript = true): Promise<Visitor> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      javaScriptEnabled: javaScript,
      reducedMotion: "reduce", // or axe would meet colours on their way
    });
    return new Visitor(context, await context.newPage(), base);
  }

  async go(path: string): Promise<void> {
    await this.page.goto(this.base + path);
  }

  /** Looks at the page as it stands, light and dark, wide and narrow. */
  async look(): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await this.page.emulateMedia({ colorScheme });
      const faults = await accessibilityFaults(this.page);
      assert.deepEqual(faults, [], `${this.page.url()} in ${colorScheme}`);
    }
    await this.page.emulateMedia({ colorScheme: "light" });
    await this.page.setViewportSize({ width: 360, height: 800 });
    const overflow = await this.page.evaluate(() =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth
    );
    assert.equal(overflow, 0, `${this.page.url()} scrolls sideways at 360 px`);
    await this.page.setViewportSize({ width: 1280, height: 900 });
  }

  button(name: string | RegExp) {
    return this.page.getByRole("button", { name });
  }

  link(name: string | RegExp) {
    return this.page.getByRole("link", { name });
  }

  async fill(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await this.page.getByLabel(label, { exact: true }).fill(value);
    }
  }
}
