import assert from "node:assert/strict";
import { describeConfiguration } from "./describe.ts";
import { load } from "./testing.ts";

/** The listing with its columns a space apart, without the folder of the file. */
async function listing(given: Parameters<typeof load>[0]): Promise<string[]> {
  const text = describeConfiguration(await load(given));
  return text.split("\n").map((line) =>
    line.replace(/ {2,}/g, " ").replace(/\/\S*\/portico\.yml/, "portico.yml")
  );
}

Deno.test("every key is listed with its value and where that comes from", async () => {
  const lines = await listing({
    file: "router:\n  trusted_proxies: [10.0.0.0/8]\n",
    environment: { PORTICO_HTTP_PORT: "9000" },
  });
  assert(lines.includes("http_port 9000 PORTICO_HTTP_PORT"));
  assert(lines.includes('router.trusted_proxies ["10.0.0.0/8"] portico.yml:2:3'));
  assert(lines.includes("drain_seconds 30 default"));
});

Deno.test("no secret is listed", async () => {
  const secret = "Sesame0pen".repeat(6);
  const lines = await listing({
    file: `\
secret_key: ${secret}
kv: https://portico:${secret}@kv.example.org/
web: { admin: { initial_superusers: [{ username: a, password_hash: $2b$12$${"S".repeat(53)} }] } }
default_api_backend_settings:
  headers: [{ key: Authorization, value: ${secret} }]
`,
    environment: { DENO_KV_ACCESS_TOKEN: secret },
  });
  const text = lines.join("\n");
  assert(!text.includes(secret) && !text.includes("SSSS"), text);
  assert(lines.includes("secret_key a secret of 60 characters portico.yml:1:1"));
});
