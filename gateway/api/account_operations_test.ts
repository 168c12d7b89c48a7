import assert from "node:assert/strict";
import { anna, withApi } from "./testing.ts";

const BROWSER_OF_ANOTHER_SITE = { origin: "https://evil.example" };

Deno.test("POST /setup creates the first admin, whose token works; then it is 409", () =>
  withApi(async ({ call }) => {
    const created = await call("POST", "/v1/setup", { json: anna });
    assert.equal(created.status, 201);
    const { admin, token } = await created.json();
    assert.equal(admin.username, anna.username);
    assert.deepEqual(Object.keys(admin).sort(), [
      "created_at",
      "id",
      "updated_at",
      "username",
      "version",
    ]);
    const headers = { authorization: `Bearer ${token}` };
    const tokens = await (await call("GET", "/v1/tokens", { headers })).json();
    assert.equal(tokens.total, 1);

    const again = await call("POST", "/v1/setup", { json: { username: "b", password: "short" } });
    assert.equal(again.status, 409);
    assert.equal((await again.json()).errors[0].code, "CONFLICT");
  }));

Deno.test("of many who set up at once, one gets 201 and all others 409", () =>
  withApi(async ({ call }) => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const response = await call("POST", "/v1/setup", {
          json: { ...anna, username: `admin${index}` },
        });
        await response.body?.cancel();
        return response.status;
      }),
    );
    assert.deepEqual(answers.sort(), [201, ...Array.from({ length: 7 }, () => 409)]);
  }));

Deno.test("behind a proxy, setting up takes the code", () =>
  withApi(async ({ call, portico }) => {
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const without = await call("POST", "/v1/setup", { json: anna, headers });
    assert.equal(without.status, 403);
    assert.equal((await without.json()).errors[0].field, "setup_code");
    const json = { ...anna, setup_code: portico.accounts.setupCode };
    const response = await call("POST", "/v1/setup", { json, headers });
    assert.equal(response.status, 201);
    await response.body?.cancel();
  }));

Deno.test("POST /setup names every bad field at once", () =>
  withApi(async ({ call }) => {
    const json = { username: " ", password: "short", role: "king" };
    const response = await call("POST", "/v1/setup", { json });
    assert.equal(response.status, 422);
    const { errors } = await response.json();
    assert.deepEqual(errors.map(({ field }: { field: string }) => field), [
      "username",
      "password",
      "role",
    ]);
  }));

Deno.test("POST /login answers with the admin and a session cookie that works", () =>
  withApi(async ({ call, portico, origin }) => {
    await portico.accounts.setUp(anna, { address: "::1", direct: true });
    const response = await call("POST", "/v1/login", { json: anna });
    assert.equal(response.status, 200);
    assert.deepEqual(Object.keys(await response.json()), ["admin"]);
    const [cookie, ...attributes] = (response.headers.get("set-cookie") ?? "").split("; ");
    assert.match(cookie ?? "", /^portico_session=[\w-]{43}$/);
    assert.deepEqual(attributes, ["Path=/", "HttpOnly", "SameSite=Lax"]);

    const headers = { cookie: cookie ?? "", origin };
    const read = await call("GET", "/v1/users", { headers });
    assert.equal(read.status, 200);
    await read.body?.cancel();

    const out = await call("POST", "/v1/logout", { headers });
    assert.equal(out.status, 204);
    assert.match(out.headers.get("set-cookie") ?? "", /^portico_session=; .*Max-Age=0/);
    const after = await call("GET", "/v1/users", { headers });
    assert.equal(after.status, 401);
    await after.body?.cancel();
  }));

Deno.test("signing in again ends the session that the browser was in", () =>
  withApi(async ({ call, portico, origin }) => {
    const admin = await portico.accounts.setUp(anna, { address: "::1", direct: true });
    const first = await portico.sessions.open(admin);
    const headers = { cookie: `portico_session=${first}`, origin };
    const response = await call("POST", "/v1/login", { json: anna, headers });
    await response.body?.cancel();
    assert.ok(!(response.headers.get("set-cookie") ?? first).includes(first));
    assert.equal(await portico.sessions.find(first), null);
  }));

Deno.test("a wrong password and an unknown name are 401 in the same words", () =>
  withApi(async ({ call, portico }) => {
    await portico.accounts.setUp(anna, { address: "::1", direct: true });
    const texts = [];
    for (const json of [{ ...anna, password: "wrong" }, { ...anna, username: "nobody" }]) {
      const response = await call("POST", "/v1/login", { json });
      assert.equal(response.status, 401);
      assert.equal(response.headers.get("set-cookie"), null);
      texts.push(await response.text());
    }
    assert.equal(texts[0], texts[1]);
  }));

Deno.test("after five failures signing in is 429 with Retry-After, and works after the wait", () =>
  withApi(async ({ call, portico, time }) => {
    await portico.accounts.setUp(anna, { address: "::1", direct: true });
    const statuses = [];
    for (let i = 0; i < 6; i++) {
      const response = await call("POST", "/v1/login", { json: { ...anna, password: "wrong" } });
      statuses.push(response.status, response.headers.get("retry-after"));
      await response.body?.cancel();
    }
    assert.deepEqual(statuses, [401, null, 401, null, 401, null, 401, null, 401, null, 429, "1"]);
    const early = await call("POST", "/v1/login", { json: anna });
    assert.equal((await early.json()).errors[0].code, "TOO_MANY_ATTEMPTS");
    time.now += 1000;
    const right = await call("POST", "/v1/login", { json: anna });
    assert.equal(right.status, 200);
    await right.body?.cancel();
  }));

Deno.test("another site cannot set up, sign in or sign out for its visitor", () =>
  withApi(async ({ call, portico }) => {
    const headers = { ...BROWSER_OF_ANOTHER_SITE, "content-type": "text/plain" };
    const setup = await call("POST", "/v1/setup", { body: JSON.stringify(anna), headers });
    assert.equal(setup.status, 403);
    await setup.body?.cancel();
    assert.equal(portico.accounts.needsSetup, true);

    const admin = await portico.accounts.setUp(anna, { address: "::1", direct: true });
    const login = await call("POST", "/v1/login", { body: JSON.stringify(anna), headers });
    assert.equal(login.status, 403);
    assert.equal(login.headers.get("set-cookie"), null);
    await login.body?.cancel();

    const session = await portico.sessions.open(admin);
    const cookie = `portico_session=${session}`;
    const logout = await call("POST", "/v1/logout", { headers: { ...headers, cookie } });
    assert.equal(logout.status, 403);
    await logout.body?.cancel();
    assert.notEqual(await portico.sessions.find(session), null);
  }));
