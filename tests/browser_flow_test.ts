/**
 * The main job in a real browser, as a person does it: from an empty data folder to
 * the call's entry in the log and its CSV. On the way axe looks at every page, in
 * light and in dark, and no page may complain on the console (CSP reports included).
 */
import assert from "node:assert/strict";
import { password } from "./harness/admin.ts";
import { launchBrowser } from "./harness/browser.ts";
import { startJsonServer } from "./harness/json_server.ts";
import { startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { browserTest, Visitor } from "./harness/visitor.ts";

Deno.test("from an empty data folder to a recorded call, in a browser", browserTest, async (t) => {
  await using upstream = await startJsonServer({ things: [{ id: 1, name: "lamp" }] });
  await using portico = await startPortico();
  const browser = await launchBrowser();
  try {
    const visitor = await Visitor.open(browser, portico.url());
    const { page } = visitor;
    let key = "";

    await t.step("the homepage of a new server leads to the first admin account", async () => {
      await visitor.go("/");
      await visitor.look();
      await visitor.link("Create the account").click();
      await visitor.look();
      await visitor.fill({
        "User name": "admin@example.org",
        "Password": password,
        "Password again": "something else",
      });
      await visitor.button(/create/i).click();
      await page.getByText("not the same as the password").first().waitFor();
      await visitor.fill({ "Password": password, "Password again": password });
      await visitor.button(/create/i).click();
      await page.getByRole("heading", { name: "API Backends" }).waitFor();
      await visitor.look();
    });

    await t.step("a backend is added; what is wrong is said beside its field", async () => {
      await visitor.link(/add.*backend/i).first().click();
      await visitor.look();
      await visitor.fill({ "Name": "Shop", "Host": "http://wrong", "Frontend prefix": "/shop/" });
      await page.getByLabel("Port", { exact: true }).fill(String(upstream.port));
      await visitor.button("Save").click();
      await page.getByText('format of "example.com"').first().waitFor();
      await visitor.look();
      await visitor.fill({ "Host": "127.0.0.1", "Backend prefix (optional)": "/" });
      await page.getByText("/example").first().waitFor();
      await visitor.button("Save").click();
      await page.getByText(/publish/i).first().waitFor();
      const before = await fetch(`${portico.url()}/shop/things/1`);
      assert.equal(before.status, 404);
      await before.body?.cancel();
    });

    await t.step("the change is reviewed and published", async () => {
      await visitor.link(/review/i).first().click();
      await page.getByRole("heading", { name: "Publish Changes" }).waitFor();
      await visitor.look();
      await page.getByLabel(/note/i).fill("first light");
      await visitor.button("Publish 1 change").click();
      await page.getByText(/version 1/i).first().waitFor();
      await visitor.look();
    });

    await t.step(
      "somebody signs up, with a mistake first, and is shown a key and a curl line",
      async () => {
        await visitor.go("/");
        await page.getByText("/shop/").first().waitFor();
        await visitor.look();
        await visitor.go("/signup/");
        await visitor.look();
        await visitor.fill({
          "Email": "ada@example.org",
          "First name": "Ada",
          "Last name": "Caller",
        });
        await visitor.button("Get my API key").click();
        await page.getByText("agree to the terms").first().waitFor();
        assert.equal(await page.getByLabel("Email").inputValue(), "ada@example.org");
        await visitor.look();
        await page.getByLabel(/I agree/).check();
        await visitor.button("Get my API key").click();
        await page.getByText(/ptk_/).first().waitFor();
        await visitor.look();
        const text = await page.locator("main").innerText();
        key = /ptk_[0-9A-Za-z]{36}/.exec(text)?.[0] ?? "";
        assert.match(text, /curl/);
        await visitor.button(/copy/i).first().click();
        await page.getByText("Copied").first().waitFor();
      },
    );

    await t.step(
      "the key opens the API, in each of the three ways; without it nothing does",
      async () => {
        for (
          const [path, headers] of [
            ["/shop/things/1", { "x-api-key": key }],
            [`/shop/things/1?api_key=${key}`, {}],
            ["/shop/things/1", { authorization: `Basic ${btoa(`${key}:`)}` }],
          ] as const
        ) {
          const response = await fetch(portico.url() + path, { headers });
          assert.deepEqual(await response.json(), { id: 1, name: "lamp" });
        }
        const refused = await fetch(`${portico.url()}/shop/things/1`);
        assert.equal((await refused.json()).error.code, "API_KEY_MISSING");
      },
    );

    await t.step("Filter Logs shows the calls, one in full, and the CSV of all", async () => {
      await visitor.go("/admin/logs");
      const rows = () => page.getByRole("row").filter({ hasText: "/shop/things/1" }).count();
      await until(async () => {
        await page.reload();
        return await rows() === 5;
      }, "the five calls in the log, the one before publishing among them");
      await visitor.look();
      await visitor.go("/admin/logs?response_status=403");
      assert.equal(await rows(), 1);
      await page.getByRole("row").filter({ hasText: "/shop/things/1" }).getByRole("link").first()
        .click();
      const entry = page.getByRole("complementary", { name: "One call" });
      await entry.waitFor();
      assert.match(await entry.innerText(), /api_key_missing/i);
      assert.match(await entry.innerText(), /127\.0\.0\.1/);
      await visitor.look();
      await visitor.go("/admin/logs");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        visitor.link(/csv/i).click(),
      ]);
      assert.match(download.suggestedFilename(), /^portico_logs_.*\.csv$/);
      const csv = await Deno.readTextFile(await download.path());
      assert.ok(csv.split("\r\n").length >= 5, csv);
      assert.ok(!csv.includes(key));
    });

    await t.step(
      "users, tokens, the cache and the refusal page are looked at as well",
      async () => {
        for (
          const path of [
            "/admin/users",
            "/admin/users/new",
            "/admin/tokens",
            "/admin/cache",
            "/admin/nope",
          ]
        ) {
          await visitor.go(path);
          await visitor.look();
        }
        await visitor.go("/nowhere.html");
        await page.getByText("NOT_FOUND").waitFor();
        await visitor.look();
      },
    );

    await t.step("signing out ends the session", async () => {
      await visitor.go("/admin/tokens");
      await visitor.button(/sign out/i).click();
      await visitor.go("/admin/backends");
      await page.getByLabel("Password").waitFor();
      await visitor.look();
    });

    assert.deepEqual(visitor.complaints, []);
    await visitor.context.close();
  } finally {
    await browser.close();
  }
});

Deno.test("every form works with JavaScript off", browserTest, async () => {
  await using upstream = await startJsonServer({ things: [{ id: 1 }] });
  await using portico = await startPortico();
  const browser = await launchBrowser();
  try {
    const visitor = await Visitor.open(browser, portico.url(), false);
    const { page } = visitor;
    await visitor.go("/admin/");
    await visitor.fill({
      "User name": "admin@example.org",
      "Password": password,
      "Password again": password,
    });
    await visitor.button(/create/i).click();
    await visitor.link(/add.*backend/i).first().click();
    await visitor.fill({
      "Name": "Shop",
      "Frontend prefix": "/shop/",
      "Backend prefix (optional)": "/",
    });
    await page.getByLabel("Host", { exact: true }).first().fill("127.0.0.1");
    await page.getByLabel("Port", { exact: true }).first().fill(String(upstream.port));
    await visitor.button("Add a server").click();
    assert.equal(await page.getByLabel("Host", { exact: true }).count(), 2);
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Shop");
    await visitor.button("Remove").last().click();
    await visitor.button("Save").click();
    await visitor.go("/admin/publish");
    await visitor.button(/publish/i).last().click();
    await page.getByText(/version 1/i).first().waitFor();
    await visitor.go("/signup/");
    await visitor.fill({ "Email": "ada@example.org", "First name": "Ada", "Last name": "Caller" });
    await page.getByLabel(/I agree/).check();
    await visitor.button("Get my API key").click();
    const key = /ptk_[0-9A-Za-z]{36}/.exec(await page.locator("main").innerText())?.[0] ?? "";
    const response = await fetch(`${portico.url()}/shop/things/1`, {
      headers: { "x-api-key": key },
    });
    assert.deepEqual(await response.json(), { id: 1 });
    await visitor.context.close();
  } finally {
    await browser.close();
  }
});
