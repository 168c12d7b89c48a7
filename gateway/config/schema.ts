/**
 * Every key of `portico.yml`: what it takes, what it falls back to, what it is
 * for. The one source for validation, for the environment variables, for the
 * example file (`deno task example-config`) and for the `Configuration` type.
 */
import * as v from "valibot";
import { apiKeyMethods } from "../exchange/api_key.ts";
import { hostName } from "../exchange/host_name.ts";
import { fileBackendInput } from "../records/backend.ts";
import { numberWithin, oneOf, port, requiredText, unique, wholeNumber } from "../records/fields.ts";
import { pattern } from "../records/rewrites.ts";
import { websiteBackendInput } from "../records/website.ts";
import { adminAccounts } from "./admin_accounts.ts";
import { bans } from "./bans.ts";
import { cacheLimits } from "./cache.ts";
import { defaultSettings } from "./default_settings.ts";
import { clientLimits } from "./client_limits.ts";
import { servedHosts } from "./hosts.ts";
import { blame, key } from "./key.ts";
import { routing } from "./routing.ts";
import { backendStartsAreGiven } from "./transition_starts.ts";
import { upstreamLimits } from "./upstream_limits.ts";
import {
  contact,
  listenAddress,
  listenPort,
  origin,
  pageUrl,
  secretKey,
  storeLocation,
  workers,
} from "./values.ts";

const entries = {
  site_name: key(
    requiredText(255),
    "Portico",
    "The name of this site, on its pages.",
  ),
  contact_url: key(
    contact,
    "",
    "Where callers turn to when a call is refused: an http or https URL or a mailto: address. " +
      "Empty means the homepage.",
    { example: "https://www.example.org/contact/" },
  ),
  base_url: key(
    v.nullable(origin),
    null,
    "Scheme, host and port under which callers reach this server. " +
      "Empty means those of the request.",
    { example: "https://api.example.org" },
  ),
  http_port: key(listenPort, 8080, "Port for HTTP. 0 takes a free one, named in the ready line."),
  https_port: key(
    v.nullable(listenPort),
    null,
    "Port for HTTPS. Empty means no HTTPS. With HTTPS on, backends refuse plain HTTP calls " +
      "unless their require_https says otherwise, and the sign-up and admin pages are opened " +
      "over HTTPS, but for somebody at this machine itself.",
    { example: 8443 },
  ),
  override_public_http_port: key(
    v.nullable(port),
    null,
    "Port that callers see in place of http_port, such as that of a load balancer: backends are " +
      "told it. Empty means that of the call.",
    { example: 443 },
  ),
  override_public_http_proto: key(
    v.nullable(oneOf("http", "https")),
    null,
    "https says that whatever comes to http_port came over HTTPS to the load balancer in front of " +
      "it, which must be the only way there. Empty means http, or what a trusted proxy says.",
    { example: "https" },
  ),
  override_public_https_port: key(
    v.nullable(port),
    null,
    "Port that callers see in place of https_port; links to HTTPS lead there too.",
    { example: 443 },
  ),
  override_public_https_proto: key(
    v.nullable(oneOf("http", "https")),
    null,
    "What callers see in place of HTTPS at https_port. Empty means https, or what a trusted proxy " +
      "says.",
    { example: "https" },
  ),
  listen: key(
    v.strictObject({
      addresses: key(
        v.pipe(v.array(listenAddress), v.minLength(1, "must hold at least one address")),
        ["*", "[::]"],
        'IP addresses to listen on. "*" is every IPv4 address, "[::]" every IPv6 address.',
      ),
    }),
    {},
    "Where the server listens.",
  ),
  hosts: key(
    servedHosts,
    [],
    "Host names of this server and their certificates (PEM files; a relative path starts at the " +
      "folder of this file). Whoever asks for a host by HTTPS gets its certificate; for any other " +
      "host, and for those without one, that of the host marked default, else of the first that " +
      "has one, else one that Portico signs itself and keeps with the data. APIs and the website of " +
      "the default host answer for every host too, after those that name it.",
    {
      example: [{
        hostname: "api.example.org",
        default: true,
        ssl_cert: "/etc/ssl/certs/api.example.org.pem",
        ssl_cert_key: "/etc/ssl/private/api.example.org.key",
        http_strict_transport_security: "max-age=31536000",
      }],
    },
  ),
  secret_key: key(
    v.nullable(secretKey),
    null,
    "Secret under which API keys are hashed, at least 32 characters. Empty means one that is made " +
      "at the first start and kept in the store. Changing it makes every API key invalid.",
    { secret: true },
  ),
  kv: key(
    storeLocation,
    "./data/portico.kv",
    "The store: a path (a relative one starts at Portico's own folder), :memory: for one that is " +
      "lost at exit, or the URL of a KV Connect server, whose token is read from the environment " +
      "variable DENO_KV_ACCESS_TOKEN.",
  ),
  workers: key(
    workers,
    "auto",
    "Isolates that serve calls, each on a thread of its own: a whole number, or auto for one a core.",
  ),
  drain_seconds: key(
    numberWithin(0, 3600, "a number of seconds", Number.isFinite),
    30,
    "How long calls in flight may take to finish once the server is told to stop.",
  ),
  router: key(
    routing,
    {},
    "How requests come in.",
  ),
  strip_cookies: key(
    v.array(pattern),
    ["^__utm.*$", "^_ga$", "^is_returning$"],
    "Cookies that backends do not get: regular expressions (RE2, letters of both cases alike) for " +
      "their names. Those of visitor statistics would keep answers out of the cache.",
  ),
  strip_response_cookies: key(
    v.array(pattern),
    [],
    "Cookies that keep no answer out of the cache: regular expressions as in strip_cookies. An " +
      "answer whose cookies are all such loses them.",
    { example: ["^lb_server$"] },
  ),
  strip_server_header: key(
    v.boolean(),
    false,
    "Whether answers lose the Server header of the backend.",
  ),
  gatekeeper: key(
    v.strictObject({
      api_key_methods: key(
        v.pipe(
          v.array(v.picklist(apiKeyMethods, `must be one of ${apiKeyMethods.join(", ")}`)),
          v.minLength(1, `must hold at least one of ${apiKeyMethods.join(", ")}`),
        ),
        [...apiKeyMethods],
        "Where a caller may put the API key; the first that is not empty wins: header " +
          "(X-Api-Key), get_param (api_key in the query), basic_auth_username.",
      ),
    }),
    {},
    "How callers are known.",
  ),
  ban: key(
    bans,
    {},
    "Who is not served at all, Portico's own pages included, but for the health check.",
  ),
  default_api_backend_settings: key(
    defaultSettings,
    {},
    "Settings of every backend that does not set them itself. Plain HTTP is taken (optional) " +
      "unless HTTPS is on.",
    { example: { require_https: "required_return_error" } },
  ),
  apis: key(
    v.array(v.pipe(fileBackendInput, backendStartsAreGiven())),
    [],
    "API backends defined by this file. They are live from the start and not edited in the admin.",
    {
      example: [{
        name: "Example",
        frontend_host: "*",
        backend_host: null,
        backend_protocol: "http",
        balance_algorithm: "least_conn",
        servers: [{ host: "127.0.0.1", port: 3000 }],
        backend_tls: null,
        health_check: null,
        url_matches: [{ frontend_prefix: "/example/", backend_prefix: "/" }],
        settings: { required_roles: ["staff"] },
      }],
    },
  ),
  website_backends: key(
    v.pipe(
      v.array(websiteBackendInput),
      unique("frontend_host", ({ frontend_host }) => hostName(frontend_host)),
    ),
    [],
    "Website backends defined by this file: what is at a host besides APIs and Portico's own pages. " +
      "They are live from the start, not edited in the admin, and win over published ones.",
    {
      example: [{
        frontend_host: "www.example.org",
        backend_protocol: "http",
        server_host: "127.0.0.1",
        server_port: 3000,
      }],
    },
  ),
  web: key(
    v.strictObject({
      admin: key(
        adminAccounts,
        {},
        "Admin accounts.",
      ),
    }),
    {},
    "The web admin.",
  ),
  signup: key(
    v.strictObject({
      limit_per_address_per_hour: key(
        wholeNumber(1, 1_000_000),
        30,
        "API keys that one IP address may ask for in an hour.",
      ),
      terms_url: key(
        pageUrl,
        "",
        "The terms that callers agree to when they sign up: an http or https URL, which the " +
          "sign-up page links. Empty means that it names none.",
        { example: "https://www.example.org/terms/" },
      ),
    }),
    {},
    "The public sign-up page.",
  ),
  client: key(
    clientLimits,
    {},
    "What callers may send, how long they may take, how many calls there may be. Each of the " +
      "workers takes its part of the numbers of calls.",
  ),
  upstream: key(
    upstreamLimits,
    {},
    "Connections to backends. A backend's settings may override each.",
  ),
  cache: key(
    cacheLimits,
    {},
    "Answers that are kept for later callers, as long as they say that they are fresh.",
  ),
  analytics: key(
    v.strictObject({
      retention_days: key(wholeNumber(1, 3650), 90, "Days that log entries are kept."),
    }),
    {},
    "The record of calls.",
  ),
  log: key(
    v.strictObject({
      level: key(
        v.picklist(
          ["debug", "info", "warn", "error"],
          "must be one of debug, info, warn, error",
        ),
        "info",
        "Least severe level of this server's own log on standard output.",
      ),
    }),
    {},
    "This server's own log.",
  ),
};

export const configurationSchema = v.pipe(
  v.strictObject(entries),
  blame(
    "https_port",
    "must differ from http_port",
    (config) => config.https_port !== config.http_port || config.http_port === 0,
  ),
  // A plain HTTP call is only refused, or sent on, where there is HTTPS to turn to.
  v.transform((config) => ({
    ...config,
    router: {
      ...config.router,
      redirect_not_found_to_https: config.router.redirect_not_found_to_https ??
        config.https_port !== null,
    },
    default_api_backend_settings: {
      ...config.default_api_backend_settings,
      require_https: config.default_api_backend_settings.require_https ??
        (config.https_port === null ? "optional" as const : "required_return_error" as const),
    },
  })),
);
