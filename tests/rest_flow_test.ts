/**
 * The main job over the REST API alone: from an empty data folder to a recorded,
 * key-checked call through a server that nobody here wrote, and its CSV.
 */
import assert from "node:assert/strict";
import { setUp } from "./harness/admin.ts";
import { startJsonServer } from "./harness/json_server.ts";
import { startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";

Deno.test("from an empty data folder to a recorded call, over the REST API", async (t) => {
  await using upstream = await startJsonServer({ things: [{ id: 1, name: "lamp" }] });
  await using portico = await startPortico();
  const base = portico.url();

  const admin = await setUp(portico);
  await t.step("a second setup is refused", async () => {
    const again = await fetch(`${base}/admin/api/v1/setup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "other@example.org", password: "another long password" }),
    });
    assert.equal(again.status, 409, await again.text());
  });

  const id = await admin.addBackend(upstream.port, "/shop/");
  await t.step("a backend that is not published answers NOT_FOUND", async () => {
    const response = await fetch(`${base}/shop/things/1`);
    assert.equal(response.status, 404);
    assert.equal((await response.json()).error.code, "NOT_FOUND");
    const { changes } = await admin.expect(200, "GET", "/publish");
    const [change] = changes as Record<string, unknown>[];
    assert.equal(change?.id, id);
    assert.equal(change?.kind, "backend");
    assert.equal(change?.change, "new");
  });

  await admin.publish("/shop/things/1");
  const signup = await fetch(`${base}/signup/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      email: "ada@example.org",
      first_name: "Ada",
      last_name: "Caller",
      use_description: "a shop window",
      terms_and_conditions: true,
    }),
  });
  assert.equal(signup.status, 201);
  const { api_key: key, user } = await signup.json();
  assert.match(key, /^ptk_[0-9A-Za-z]{36}$/);

  await t.step("the key is taken from the header, the query and the Basic user name", async () => {
    const authorization = `Basic ${btoa(`${key}:`)}`;
    for (
      const [path, headers] of [
        ["/shop/things/1?a=%20b", { "x-api-key": key }],
        [`/shop/things/1?api_key=${key}&a=%20b`, {}],
        ["/shop/things/1?a=%20b", { authorization }],
      ] as const
    ) {
      const response = await fetch(base + path, { headers });
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), { id: 1, name: "lamp" });
    }
  });

  await t.step("without a good key nothing reaches the upstream", async () => {
    await until(() => upstream.requests >= 3, "the upstream's log of the calls before");
    for (
      const [headers, code] of [
        [{}, "API_KEY_MISSING"],
        [{ "x-api-key": "ptk_" + "A".repeat(36) }, "API_KEY_INVALID"],
        [{ "x-api-key": "nonsense" }, "API_KEY_INVALID"],
      ] as const
    ) {
      const response = await fetch(`${base}/shop/things/1`, { headers });
      assert.equal(response.status, 403);
      assert.equal((await response.json()).error.code, code);
    }
    // A request of our own, past the gateway: whatever came before it stands before it in the log.
    await (await fetch(`${upstream.url}/things/1`)).body?.cancel();
    await until(() => upstream.requests >= 4, "the upstream's log of the last request");
    assert.equal(upstream.requests, 4);
  });

  await t.step("every call is in the log, newest first, without the key", async () => {
    const missing = await (await fetch(`${base}/shop/things/1`)).text();
    await until(async () => (await admin.logs()).length >= 7, "the calls to be in the log");
    const rows = await admin.logs();
    assert.equal(rows[0]?.gatekeeper_denied_code, "api_key_missing");
    assert.equal(rows[1]?.gatekeeper_denied_code, "api_key_invalid");
    const allowed = await admin.logs("response_status=200");
    assert.equal(allowed.length, 3);
    for (const row of allowed) {
      assert.equal(row.user_id, user.id);
      assert.equal(row.user_email, "ada@example.org");
      assert.equal(row.api_backend_id, id);
      assert.equal(row.request_url, `${base}/shop/things/1?a=%20b`);
      assert.ok(!Number.isNaN(Date.parse(String(row.request_at))));
    }
    const denied = await admin.logs("gatekeeper_denied_code=api_key_missing");
    assert.equal(denied[0]?.response_status, 403);
    assert.equal(denied[0]?.response_size, missing.length);
    const csv = await admin.call("GET", "/logs.csv");
    const text = await csv.text();
    assert.match(csv.headers.get("content-type") ?? "", /^text\/csv/);
    assert.ok(text.trim().split("\r\n").length >= 8, text);
    assert.ok(!text.includes(key) && !JSON.stringify(rows).includes(key));
  });

  await t.step(
    "disabling the key acts at once, and deleting the backend needs a publish",
    async () => {
      await admin.expect(200, "PUT", `/users/${user.id}`, { enabled: false });
      await until(
        async () => {
          const response = await fetch(`${base}/shop/things/1`, { headers: { "x-api-key": key } });
          return (await response.text()).includes("API_KEY_DISABLED");
        },
        "the key to be refused",
        1000,
      );
      await admin.expect(204, "DELETE", `/backends/${id}`);
      const still = await fetch(`${base}/shop/things/1`);
      assert.equal(still.status, 403, await still.text());
      await admin.expect(201, "POST", "/publish", { note: "gone" });
      await until(
        async () => {
          const response = await fetch(`${base}/shop/things/1`);
          await response.body?.cancel();
          return response.status === 404;
        },
        "the backend to be gone",
        1000,
      );
    },
  );

  const status = await portico.end("SIGTERM");
  assert.equal(status.code, 0, portico.output);
  assert.ok(!portico.output.includes(key), "the key is in the server's output");
});
