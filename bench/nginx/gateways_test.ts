import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { testWith } from "../../tests/harness/machine_needs.ts";
import { startUpstream } from "../../tests/harness/upstream.ts";
import { until } from "../../tests/harness/until.ts";
import type { Gateway } from "../gateway.ts";
import { caller, rateLimits } from "../guard.ts";
import { lookAtMachine } from "../machine.ts";
import { nginxLua } from "./gateways.ts";

const machine = await lookAtMachine();

const lua = {
  what: "nginx with Lua (apt-get install nginx-light libnginx-mod-http-lua)",
  isThere: machine.nginxLua !== null,
};

/** nginx with Lua in front of an upstream that tells what it received. */
async function rig(stack: AsyncDisposableStack, limits = rateLimits) {
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const upstream = stack.use(await startUpstream());
  const gateway = await nginxLua({ limits })({
    machine,
    folder,
    cores: null,
    owns: stack.use.bind(stack),
    upstream: { pid: Deno.pid, port: upstream.port, url: `http://127.0.0.1:${upstream.port}` },
    packages: () => Promise.reject(new Error("no packages are needed")),
  });
  return { gateway, upstream, folder };
}

async function call({ url }: Gateway, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function luaTest(name: string, test: (stack: AsyncDisposableStack) => Promise<void>): void {
  testWith(lua, `nginx with Lua ${name}`, async () => {
    await using stack = new AsyncDisposableStack();
    await test(stack);
  });
}

luaTest(
  "passes on who calls, and neither the key nor what the caller claims to be",
  async (stack) => {
    const { gateway, upstream } = await rig(stack);
    const [key = ""] = gateway.keys;
    const { status, headers } = await call(gateway, `/api/things?a=1&api_key=${key}&b=2`, {
      "x-api-key": key,
      "x-api-user-id": "forged",
      "x-api-roles": "forged",
      "x-forwarded-for": "203.0.113.9",
    });
    assert.equal(status, 200);
    const { target, headers: sent } = upstream.last;
    assert.equal(target, "/things?a=1&b=2");
    assert.equal(sent["x-api-key"], undefined);
    assert.match(String(sent["x-api-user-id"]), /^[0-9a-f-]{36}$/);
    assert.equal(sent["x-api-roles"], caller.role);
    assert.equal(sent["x-forwarded-for"], "127.0.0.1");
    assert.equal(sent["x-request-id"], headers.get("x-request-id"));
    assert.match(headers.get("ratelimit") ?? "", /;r=999999999;t=\d+$/);
  },
);

luaTest("refuses calls without a key and with one that nobody holds", async (stack) => {
  const { gateway, upstream } = await rig(stack);
  const missing = await call(gateway, "/api/things");
  assert.deepEqual([missing.status, JSON.parse(missing.text).error.code], [
    403,
    "API_KEY_MISSING",
  ]);
  const unknown = await call(gateway, "/api/things", { "x-api-key": "unknown" });
  assert.deepEqual([unknown.status, JSON.parse(unknown.text).error.code], [
    403,
    "API_KEY_INVALID",
  ]);
  assert.equal(upstream.received.length, 0);
});

luaTest("lets a limit's calls pass and refuses the next", async (stack) => {
  const year = {
    duration: 31_622_400_000,
    limit_by: "api_key",
    limit: 3,
    response_headers: true,
  } as const;
  const { gateway } = await rig(stack, [year]);
  const statuses = [];
  for (let calls = 0; calls < 4; calls++) {
    const { status } = await call(gateway, "/api/things", { "x-api-key": gateway.keys[0] ?? "" });
    statuses.push(status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 429]);
});

luaTest("writes a row for every call", async (stack) => {
  const { gateway, folder } = await rig(stack);
  await call(gateway, "/api/things?q=%22", { "x-api-key": gateway.keys[0] ?? "" });
  await call(gateway, "/api/things");
  const rows = async () => {
    const [nginx = ""] = await readdir(folder);
    const text = await readFile(join(folder, nginx, "calls.log"), "utf8");
    return text.trimEnd().split("\n").filter((line) => line !== "");
  };
  await until(async () => (await rows()).length === 2);
  const [passed, refused] = (await rows()).map((row) => JSON.parse(row));
  assert.equal(passed.request_path, "/api/things");
  assert.equal(passed.request_url_query, "q=%22");
  assert.equal(passed.response_status, 200);
  assert.equal(passed.user_email, caller.email);
  assert.equal(refused.gatekeeper_denied_code, "api_key_missing");
});
