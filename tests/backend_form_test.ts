/**
 * A backend set up through the admin's form alone, with script and without: what the REST
 * API then says of it is what was filled in, and what is wrong is said where it stands.
 */
import assert from "node:assert/strict";
import { type AdminClient, type Answer, password, setUp } from "./harness/admin.ts";
import { type Browser, launchBrowser, type Page } from "./harness/browser.ts";
import { startPortico } from "./harness/portico.ts";
import { browserTest, Visitor } from "./harness/visitor.ts";

/** The form of a backend as a person finds their way about it. */
class FormPage {
  constructor(readonly page: Page, readonly hasScript: boolean) {}

  /** The part under a heading, opened; `within` another part. */
  async section(title: string, within = this.page.locator(".record-form")) {
    const section = within.locator("> details, > .sub-url-body > details").filter({
      has: this.page.locator(":scope > summary .section-title", { hasText: title }),
    });
    if (await section.getAttribute("open") === null) await section.locator("> summary").click();
    return section;
  }

  /** What the closed or open part says of itself. */
  async summary(title: string): Promise<string> {
    return await (await this.section(title)).locator("> summary .section-set").innerText();
  }

  row(name: string) {
    return this.page.getByRole("group", { name, exact: true });
  }

  async press(name: string): Promise<void> {
    await this.page.getByRole("button", { name, exact: true }).first().click();
  }

  async save(): Promise<void> {
    await this.press("Save");
  }
}

/** What a person fills in, in the order of the page. */
async function fillIn(form: FormPage): Promise<void> {
  const { page } = form;
  await page.getByLabel("Name", { exact: true }).first().fill("Weather");
  await form.press("Add a server");
  await form.row("server 1").getByLabel("Host").fill("10.0.0.5");
  await form.row("server 2").getByLabel("Host").fill("10.0.0.6");
  await form.row("server 2").getByLabel("Port").fill("8080");
  await page.getByLabel("Frontend prefix").fill("/weather/");
  await page.getByLabel("Backend prefix (optional)").fill("/v1/");

  const access = await form.section("Keys and access");
  await access.getByLabel("Required roles").fill("weather\nstaff");

  const cors = await form.section("Calls from other sites");
  await cors.getByLabel("Calls from pages of other sites").selectOption("Allowed");
  await cors.getByLabel("Allowed origins").fill("https://app.example.org");

  const limits = await form.section("Rate limits and quotas");
  if (form.hasScript) await limits.getByLabel("Rate limit").selectOption("Custom limits");
  else await form.press("Add a custom limit");
  await form.row("custom limit 1").getByLabel("Calls").fill("100");
  await form.row("custom limit 1").getByLabel("Unit").selectOption("minutes");

  const request = await form.section("Request rewriting");
  await request.getByRole("group", { name: "Request headers" })
    .getByRole("button", { name: "Add a header" }).click();
  await form.row("header 1").getByLabel("Name").fill("X-Place");
  await form.row("header 1").getByLabel("Value").fill("{{headers.x-place}}");

  await form.section("Sub-URLs");
  await form.press("Add a sub-URL");
  const first = form.row("Sub-URL 1");
  await first.getByLabel("Method", { exact: true }).selectOption("GET");
  await first.getByLabel("Regular expression").fill("^/v1/reports/");
  const cache = await form.section("Cache", first);
  await cache.getByLabel("Default lifetime in seconds").fill("600");
}

const filledIn = {
  name: "Weather",
  servers: [{ host: "10.0.0.5", port: 80 }, { host: "10.0.0.6", port: 8080 }],
  url_matches: [{ frontend_prefix: "/weather/", backend_prefix: "/v1/" }],
  settings: {
    required_roles: ["weather", "staff"],
    cors: true,
    cors_allowed_origins: ["https://app.example.org"],
    rate_limit_mode: "custom",
    rate_limits: [{ duration: 60_000, limit_by: "api_key", limit: 100, response_headers: true }],
    headers: [{ key: "X-Place", value: "{{headers.x-place}}" }],
  },
  sub_settings: [{
    http_method: "GET",
    regex: "^/v1/reports/",
    settings: { cache_max_age_seconds: 600, required_roles_override: false },
  }],
};

async function signedIn(browser: Browser, base: string, hasScript: boolean): Promise<Visitor> {
  const visitor = await Visitor.open(browser, base, hasScript);
  await visitor.go("/admin/login");
  await visitor.fill({ "User name": "admin@example.org", "Password": password });
  await visitor.button(/sign in/i).click();
  await visitor.page.getByRole("heading", { name: "API Backends" }).waitFor();
  return visitor;
}

/** What the only backend's record says, nothing and empty left out. */
async function onlyBackend(admin: AdminClient): Promise<Answer> {
  const { backends } = await admin.expect(200, "GET", "/backends");
  const [backend] = backends as Answer[];
  const { name, servers, url_matches, settings, sub_settings } = backend ?? {};
  return said({ name, servers, url_matches, settings, sub_settings }) as Answer;
}

function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, said(item)] as const);
  return Object.fromEntries(
    entries.filter(([, item]) =>
      item !== null && item !== "" && (typeof item !== "object" || Object.keys(item).length > 0)
    ),
  );
}

Deno.test("a backend is set up through its form alone", browserTest, async (t) => {
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const browser = await launchBrowser();
  try {
    const visitor = await signedIn(browser, portico.url(), true);
    const { page } = visitor;
    const form = new FormPage(page, true);

    await t.step("what is filled in is what is stored", async () => {
      await visitor.go("/admin/backends/new");
      await fillIn(form);
      await form.save();
      await page.getByText("Not live until you publish").waitFor();
      assert.deepEqual(await onlyBackend(admin), filledIn);
    });

    await t.step("each section tells what is set in it", async () => {
      assert.equal(
        await form.summary("Backend servers"),
        "http://10.0.0.5:80 and 1 more, least connections",
      );
      assert.equal(await form.summary("Keys and access"), "key required, 2 roles");
      assert.equal(await form.summary("Calls from other sites"), "allowed from 1 origin");
      assert.equal(await form.summary("Rate limits and quotas"), "1 custom limit");
      assert.equal(await form.summary("Request rewriting"), "1 request header");
      assert.equal(await form.summary("Sub-URLs"), "1 sub-URL");
    });

    await t.step("a sub-URL tells what it inherits, as the backend's form stands", async () => {
      await page.getByRole("button", { name: "GET ^/v1/reports/ default lifetime 600 s" }).click();
      const access = await form.section("Keys and access", form.row("Sub-URL 1"));
      const roles = access.getByLabel("Required roles");
      assert.equal(await roles.getAttribute("placeholder"), "weather, staff (inherited)");
      await page.getByLabel("Required roles").first().fill("partner");
      assert.equal(await roles.getAttribute("placeholder"), "partner (inherited)");
    });

    await t.step("sub-URLs are moved, and one goes on at the same button", async () => {
      await form.press("Add a sub-URL");
      await form.row("Sub-URL 2").getByLabel("Regular expression").fill("^/v1/(");
      await form.press("Move up sub-URL 2");
      assert.match(await form.row("Sub-URL 1").innerText(), /\^\/v1\/\(/);
      const focused = () => page.evaluate(() => document.activeElement?.textContent);
      assert.match(await focused() ?? "", /Move down\s+sub-URL 1/);
    });

    await t.step("what is wrong is said at its field, in its sub-URL", async () => {
      const data = (await form.section("Answers")).getByLabel("Error data");
      await data.fill("common:\n  code: [1");
      await form.save();
      await page.getByRole("heading", { name: "2 things to put right" }).waitFor();
      assert.match(await form.row("Sub-URL 1").innerText(), /has an error at character \d/);
      assert.match(await page.locator(".record-form").innerText(), /is no YAML: .* at line \d/);
      await page.getByRole("link", { name: /Sub-URL 1: regular expression/ }).click();
      const field = form.row("Sub-URL 1").getByLabel("Regular expression");
      assert.ok(await field.evaluate((input) => input === document.activeElement));
      assert.deepEqual(await onlyBackend(admin), filledIn);
    });

    await t.step("opened as a whole it can be read by everybody, at every width", async () => {
      for (const summary of await page.locator("details:not([open]) > summary").all()) {
        if (await summary.isVisible()) await summary.click();
      }
      await visitor.look();
    });

    assert.deepEqual(visitor.complaints, []);
    await visitor.context.close();
  } finally {
    await browser.close();
  }
});

Deno.test("the form sets the same up without script", browserTest, async () => {
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const browser = await launchBrowser();
  try {
    const visitor = await signedIn(browser, portico.url(), false);
    const form = new FormPage(visitor.page, false);
    await visitor.go("/admin/backends/new");
    await fillIn(form);
    await form.save();
    await visitor.page.getByText("Not live until you publish").waitFor();
    assert.deepEqual(await onlyBackend(admin), filledIn);
    await visitor.context.close();
  } finally {
    await browser.close();
  }
});

Deno.test(
  "a secret of a backend is shown when asked for, and never on Publish Changes",
  browserTest,
  async () => {
    await using portico = await startPortico();
    const admin = await setUp(portico);
    const settings = { http_basic_auth: "portico:first-word" };
    const id = await admin.addBackend(80, "/a/", { settings });
    await admin.expect(201, "POST", "/publish", {});
    const change = { settings: { http_basic_auth: "portico:second-word" } };
    await admin.expect(200, "PUT", `/backends/${id}`, change);
    const browser = await launchBrowser();
    try {
      const visitor = await signedIn(browser, portico.url(), true);
      const { page } = visitor;
      await visitor.go(`/admin/backends/${id}`);
      const request = await new FormPage(page, true).section("Request rewriting");
      const field = request.getByLabel("Basic authentication", { exact: true });
      assert.equal(await field.getAttribute("type"), "password");
      await visitor.button("Show Basic authentication").click();
      assert.equal(await field.getAttribute("type"), "text");
      await visitor.go("/admin/publish");
      await page.getByText("Basic authentication").waitFor();
      const content = await page.content();
      assert.doesNotMatch(content, /first-word|second-word/);
      assert.match(content, /changed/);
      assert.deepEqual(visitor.complaints, []);
      await visitor.context.close();
    } finally {
      await browser.close();
    }
  },
);

Deno.test("the form tells since when a transition goes on", browserTest, async () => {
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const settings = { require_https: "transition_return_error" };
  const id = await admin.addBackend(80, "/a/", { settings });
  const browser = await launchBrowser();
  try {
    const visitor = await signedIn(browser, portico.url(), false);
    const since = visitor.page.getByText("HTTPS required for keys made since");
    await visitor.go(`/admin/backends/${id}`);
    assert.equal(await since.count(), 0);
    await admin.expect(201, "POST", "/publish", {});
    await visitor.go(`/admin/backends/${id}`);
    assert.match(await since.textContent() ?? "", /since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
    await new FormPage(visitor.page, false).save();
    await visitor.page.getByText("It is what is live already").waitFor();
    await visitor.context.close();
  } finally {
    await browser.close();
  }
});
