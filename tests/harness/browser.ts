/**
 * A real Chromium for tests. It comes inside an npm package, so nothing has to be
 * installed. The packages are named here and locked in tests/deno.lock, because
 * everybody who starts Portico downloads what deno.lock names: 25 MB, not 130.
 */
// deno-lint-ignore-file no-import-prefix -- see above
import chromium from "npm:@sparticuz/chromium@153.0.0";
import axe from "npm:axe-core@4.14.1";
import {
  type Browser,
  type BrowserContext,
  chromium as playwright,
  type Page,
} from "npm:playwright-core@1.65.1";

export type { Browser, BrowserContext, Page };

/**
 * Starts a headless Chromium; close it after use. The package's own arguments are
 * not taken: among them are a single process, which hangs, and no web security.
 */
export async function launchBrowser(): Promise<Browser> {
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** What a page complained about: script errors, refused resources, CSP reports. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // A page that answers 4xx is logged by the browser itself; that is no defect.
    if (/Failed to load resource: the server responded/.test(message.text())) return;
    complaints.push(`${page.url()}: ${message.text()}`);
  });
  return complaints;
}

/** What axe finds wrong with the page as it stands, a line each. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as AxeWindow; // put there by the script above
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
  });
}

interface AxeWindow {
  readonly axe: {
    run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
  };
}
