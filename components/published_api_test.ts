import assert from "node:assert/strict";
import { callUrl, curlLine, publishedApis } from "./published_api.ts";

Deno.test("an API without a host of its own is called at this server's address", () => {
  assert.equal(
    callUrl("http://localhost:8080", "*", "/weather/"),
    "http://localhost:8080/weather/",
  );
});

Deno.test("an API with a host of its own keeps this server's scheme and port", () => {
  assert.equal(
    callUrl("http://localhost:8080", "api.example.com", "/"),
    "http://api.example.com:8080/",
  );
  assert.equal(
    callUrl("https://gate.example.com", "api.example.com", "/v1/"),
    "https://api.example.com/v1/",
  );
  assert.equal(
    callUrl("https://gate.example.com", "api.example.com:444", "/"),
    "https://api.example.com:444/",
  );
});

Deno.test("a host with a wildcard is shown as one that it stands for", () => {
  assert.equal(callUrl("https://g.example", "*.example.com", "/"), "https://any.example.com/");
  assert.equal(callUrl("https://g.example", ".example.com", "/"), "https://example.com/");
});

Deno.test("each way to send the key has its line", () => {
  const url = "https://g.example/weather/";
  assert.equal(
    curlLine(url, "ptk_x", "header"),
    'curl -H "X-Api-Key: ptk_x" "https://g.example/weather/"',
  );
  assert.equal(
    curlLine(url, "ptk_x", "get_param"),
    'curl "https://g.example/weather/?api_key=ptk_x"',
  );
  assert.equal(
    curlLine(url, "ptk_x", "basic_auth_username"),
    'curl -u "ptk_x:" "https://g.example/weather/"',
  );
});

Deno.test("nothing in a prefix is run by the shell the line is pasted into", () => {
  assert.equal(
    curlLine("http://g/$(id)'`x`/", "ptk_x", "header"),
    `curl -H "X-Api-Key: ptk_x" 'http://g/$(id)'\\''\`x\`/'`,
  );
});

Deno.test("APIs are listed by name, with every address and whether they ask for a key", () => {
  const backend = (name: string, prefixes: string[], disable_api_key: boolean | null) => ({
    name,
    frontend_host: "*",
    url_matches: prefixes.map((prefix) => ({ frontend_prefix: prefix, backend_prefix: "/" })),
    settings: {
      disable_api_key,
      required_roles: [],
      allowed_ips: [],
      rate_limits: [],
      headers: [],
      default_response_headers: [],
      override_response_headers: [],
    },
  });
  const backends = [
    backend("Weather", ["/w/", "/weather/"], null),
    backend("Air", ["/air/"], true),
  ];
  assert.deepEqual(publishedApis(backends, "http://g"), [
    { name: "Air", urls: ["http://g/air/"], needsKey: false },
    { name: "Weather", urls: ["http://g/w/", "http://g/weather/"], needsKey: true },
  ]);
});
