import assert from "node:assert/strict";
import { defaultConfiguration } from "@/gateway/config/configuration.ts";
import { curlLine, publishedApis } from "./published_api.ts";

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

const inherited = {
  require_https: null,
  disable_api_key: null,
  required_roles: [],
  allowed_ips: [],
  rate_limits: [],
  headers: [],
  default_response_headers: [],
  override_response_headers: [],
};

function backend(name: string, prefixes: string[], settings = {}, frontend_host = "*") {
  return {
    name,
    frontend_host,
    url_matches: prefixes.map((prefix) => ({ frontend_prefix: prefix, backend_prefix: "/" })),
    settings: { ...inherited, ...settings },
  };
}

Deno.test("APIs are listed by name, with every address and whether they ask for a key", () => {
  const backends = [
    backend("Weather", ["/w/", "/weather/"]),
    backend("Air", ["/air/"], { disable_api_key: true }),
  ];
  assert.deepEqual(publishedApis(backends, defaultConfiguration, "http://g"), [
    { name: "Air", urls: ["http://g/air/"], needsKey: false },
    { name: "Weather", urls: ["http://g/w/", "http://g/weather/"], needsKey: true },
  ]);
});

Deno.test("an address that Portico's own pages take is not listed, nor an API with no other", () => {
  const backends = [backend("A", ["/a/", "/signup/a/"]), backend("B", ["/admin/"])];
  assert.deepEqual(publishedApis(backends, defaultConfiguration, "http://g"), [
    { name: "A", urls: ["http://g/a/"], needsKey: true },
  ]);
});

/** The default settings of a server that has HTTPS. */
const required = { ...inherited, require_https: "required_return_error" as const };

Deno.test("an API that refuses plain HTTP is listed by its HTTPS address", () => {
  const backends = [
    backend("A", ["/a/"]),
    backend("B", ["/b/"], { require_https: "optional" }),
    backend("C", ["/c/"], {}, "api.example.com"),
  ];
  const urlsOf = (config: Partial<typeof defaultConfiguration>, baseUrl: string) => {
    const withHttps = {
      ...defaultConfiguration,
      https_port: 8443,
      default_api_backend_settings: required,
      ...config,
    };
    return publishedApis(backends, withHttps, baseUrl).flatMap(({ urls }) => urls);
  };
  assert.deepEqual(urlsOf({}, "http://g:8080"), [
    "https://g:8443/a/",
    "http://g:8080/b/",
    "https://api.example.com:8443/c/",
  ]);
  assert.equal(urlsOf({ https_port: 443 }, "http://g:8080")[0], "https://g/a/");
  assert.equal(urlsOf({}, "https://g.example:444")[0], "https://g.example:444/a/");
  const base_url = "https://g.example";
  assert.equal(urlsOf({ base_url }, base_url)[0], "https://g.example/a/");
});

Deno.test("an API whose new callers are sent to HTTPS, or held to it, is listed by that address", () => {
  const backends = [
    backend("A", ["/a/"], { redirect_https: true }),
    backend("B", ["/b/"], { require_https: "transition_return_error" }),
    backend("C", ["/c/", "/secure/"], { require_https: "optional" }),
  ];
  const config = {
    ...defaultConfiguration,
    router: {
      ...defaultConfiguration.router,
      api_backend_required_https_regex_default: "^/secure/",
    },
    https_port: 443,
  };
  const apis = publishedApis(backends, config, "http://g");
  assert.deepEqual(apis.flatMap(({ urls }) => urls), [
    "https://g/a/",
    "https://g/b/",
    "http://g/c/",
    "https://g/secure/",
  ]);
});

Deno.test("what the default settings say of keys and HTTPS holds for the list", () => {
  const config = {
    ...defaultConfiguration,
    default_api_backend_settings: { ...required, disable_api_key: true },
  };
  assert.deepEqual(publishedApis([backend("A", ["/a/"])], config, "http://g:8080"), [
    { name: "A", urls: ["https://g/a/"], needsKey: false },
  ]);
});
