/**
 * The pages of API users and of Explain, as a person uses them: with script and without.
 * What is set there is what calls go by.
 */
import assert from "node:assert/strict";
import { password, setUp } from "./harness/admin.ts";
import { type Browser, launchBrowser } from "./harness/browser.ts";
import { type RunningPortico, startPortico, unlimited } from "./harness/portico.ts";
import { startUpstream } from "./harness/upstream.ts";
import { until } from "./harness/until.ts";
import { browserTest, Visitor } from "./harness/visitor.ts";

async function signIn(browser: Browser, { url }: { url: string }, javaScript = true) {
  const visitor = await Visitor.open(browser, url, javaScript);
  visitor.page.setDefaultTimeout(10_000);
  await visitor.go("/admin/login");
  await visitor.fill({ "User name": "admin@example.org", Password: password });
  await visitor.button("Sign in").click();
  return visitor;
}

interface Site {
  readonly portico: RunningPortico;
  readonly browser: Browser;
  readonly call: (key: string) => Promise<{ status: number; code: string | null }>;
  readonly backend: string;
  readonly api: Awaited<ReturnType<typeof setUp>>;
}

async function withSite(test: (site: Site) => Promise<void>): Promise<void> {
  await using upstream = await startUpstream();
  await using portico = await startPortico({ config: unlimited });
  const api = await setUp(portico);
  const backend = await api.addBackend(upstream.port, "/shop/", {
    name: "Shop",
    settings: { required_roles: ["staff"] },
  });
  await api.publish("/shop/x");
  const browser = await launchBrowser();
  try {
    await test({
      portico,
      browser,
      backend,
      api,
      call: async (key) => {
        const response = await fetch(`${portico.url()}/shop/x`, { headers: { "x-api-key": key } });
        const code = /"code":"(\w+)"/.exec(await response.text())?.[1] ?? null;
        return { status: response.status, code: response.ok ? null : code };
      },
    });
  } finally {
    await browser.close();
  }
}

/** The person's part of the form. */
const grace = { Email: "grace@example.org", "First name": "Grace", "Last name": "Hopper" };

for (const javaScript of [true, false]) {
  const how = javaScript ? "with script" : "without script";
  Deno.test(
    `a user with a role, a limit for one backend and an expiry, ${how}`,
    browserTest,
    () =>
      withSite(async ({ portico, browser, call, api }) => {
        const { page, go, button, fill, complaints, ...visitor } = bound(
          await signIn(browser, { url: portico.url() }, javaScript),
        );
        // What looks at pages is a script itself.
        const look = () => javaScript ? visitor.look() : Promise.resolve();
        await go("/admin/users/new");
        await button("Add the API user").last().click();
        await page.getByText("Provide their email address.").first().waitFor();
        await fill(grace);
        await page.getByLabel("Expires (UTC)").fill("2099-01-31T12:00");
        await button("Add a role").click();
        await page.getByLabel("Role", { exact: true }).fill("staff");
        await open(page, "Limits for single API backends");
        await button("Add a backend").click();
        await page.getByLabel("API backend", { exact: true }).selectOption({ label: "Shop" });
        const limits = page.locator('[id="field-settings-backend_limits"]');
        await limits.getByLabel("Rate limit", { exact: true }).selectOption("custom");
        if (!javaScript) await limits.getByRole("button", { name: "Add a custom limit" }).click();
        await limits.getByLabel("Calls", { exact: true }).fill("2");
        await open(page, "Notes");
        await page.getByLabel("Metadata").fill("contract: 7\ncontract: 8");
        await look();
        await button("Add the API user").last().click();
        await page.getByText("is no YAML").first().waitFor();
        assert.match(await page.locator(".error-summary").innerText(), /line 2/);
        await page.getByLabel("Metadata").fill("contract: 7");
        await button("Add the API user").last().click();
        const key = (await page.locator("#api-key").innerText()).trim();

        const { users } = await api.expect(200, "GET", "/users?role=staff");
        const [user] = users as Record<string, unknown>[];
        assert.equal(user?.expires_at, "2099-01-31T12:00:00.000Z");
        assert.deepEqual(user?.metadata, { contract: 7 });
        assert.deepEqual((await call(key)).status, 200);
        assert.deepEqual((await call(key)).status, 200);
        assert.equal((await call(key)).code, "OVER_RATE_LIMIT");

        await go("/admin/users");
        await look();
        await button("Disable").click();
        await page.getByText("Grace Hopper is disabled").waitFor();
        await until(async () => (await call(key)).code === "API_KEY_DISABLED", "the key to be off");
        await go("/admin/users?state=enabled");
        await page.getByText("Nobody found").waitFor();
        await go("/admin/users?state=disabled");
        await button("Enable").click();
        await go(`/admin/users/${user?.id}`);
        assert.equal(await page.getByLabel("Expires (UTC)").inputValue(), "2099-01-31T12:00");
        await page.getByLabel("Expires (UTC)").fill("2020-01-31T12:00:00");
        await look();
        await button("Save").last().click();
        await page.getByText("Expired").last().waitFor();
        await until(async () => (await call(key)).code === "API_KEY_EXPIRED", "the key to expire");
        await go(`/admin/users/${user?.id}/delete`);
        await button("Delete the API user").click();
        await page.getByText("The API user is deleted").waitFor();
        await until(async () => (await call(key)).code === "API_KEY_INVALID", "the key to be gone");
        assert.deepEqual(complaints, []);
      }),
  );
}

Deno.test(
  "a refused call is explained from its entry in the log, down to the field",
  browserTest,
  () =>
    withSite(async ({ portico, browser, api, call }) => {
      const { key, id } = await api.addUser();
      assert.equal((await call(key)).code, "API_KEY_UNAUTHORIZED");
      await until(async () => (await api.logs(`user_id=${id}`)).length > 0, "the log");
      const [row] = await api.logs(`user_id=${id}`);
      const { page, go, link, button, look, complaints } = bound(
        await signIn(browser, { url: portico.url() }),
      );
      await go(`/admin/logs/${row?.request_id}`);
      await link("Explain this call").click();
      const summary = page.locator(".explanation-summary");
      assert.equal(
        await summary.innerText(),
        "Refused with 403 API_KEY_UNAUTHORIZED: the key lacks the role “staff”, which is required.",
      );
      assert.match(await page.locator(".stage-refuse").innerText(), /Roles\s+refused/);
      await look();
      await link("settings.required_roles").first().click();
      assert.equal(new URL(page.url()).hash, "#field-settings-required_roles");
      await page.locator("#field-settings-required_roles").waitFor({ state: "visible" });

      await api.expect(200, "PUT", `/users/${id}`, { roles: ["staff"] });
      await go("/admin/explain");
      await page.getByLabel("URL").fill("/shop/x?a=1");
      await page.getByLabel(/^API key/).fill(key);
      await button("Explain").click();
      assert.match(await summary.innerText(), /^Forwarded to Shop: GET \/x\?a=1$/);
      assert.ok(!(await page.content()).includes(key), "the key is not shown again");

      const { host } = new URL(portico.url());
      const lines = page.locator(".explain-urls dd");
      assert.equal(await lines.first().innerText(), `GET http://${host}/shop/x?a=1`);
      const server = await lines.nth(1).innerText();
      assert.match(server, /^GET http:\/\/127\.0\.0\.1:\d+\/x\?a=1$/);
      assert.ok(!server.includes(host), "the call goes to the server, not to Portico again");
      await page.getByLabel(/^API key/).fill("");
      await page.getByLabel("Or an API user").fill("");
      await button("Explain").click();
      assert.equal(
        await page.locator(".notice .stage-rule").innerText(),
        "Rule: disable_api_key (set nowhere)",
      );
      await page.getByLabel("URL").fill("/nowhere");
      await button("Explain").click();
      const reason = page.getByText("There is no API backend whose settings could be asked.");
      assert.equal(await reason.count(), 1, "what holds for many stages is said once");
      await look();
      assert.deepEqual(complaints, []);
    }),
);

/** A visitor's ways, each by itself. */
function bound(visitor: Visitor) {
  return {
    page: visitor.page,
    complaints: visitor.complaints,
    go: visitor.go.bind(visitor),
    fill: visitor.fill.bind(visitor),
    button: visitor.button.bind(visitor),
    link: visitor.link.bind(visitor),
    look: visitor.look.bind(visitor),
  };
}

async function open(page: Visitor["page"], title: string): Promise<void> {
  const section = page.locator("details.section", { has: page.getByText(title, { exact: true }) });
  if (await section.getAttribute("open") === null) await section.locator("summary").click();
}
