/**
 * Website backends, compiled: to the request path they are backends with one prefix, `/`,
 * whose settings let everything pass.
 */
import * as v from "valibot";
import type { Configuration } from "../config/configuration.ts";
import { Pattern } from "../patterns/pattern.ts";
import type { BackendInput } from "../records/backend.ts";
import { backendSettings } from "../records/settings.ts";
import type { WebsiteBackendInput } from "../records/website.ts";
import type { HttpsRules } from "./access.ts";

/**
 * No key, no limits, no record. The two headers are for browsers, as on Portico's own
 * pages, unless the website says something else: no guessing of types, no frames in
 * other sites.
 */
const passThrough = v.parse(backendSettings, {
  require_https: "optional",
  disable_api_key: true,
  rate_limit_mode: "unlimited",
  disable_analytics: true,
  default_response_headers: [
    { key: "x-content-type-options", value: "nosniff" },
    { key: "x-frame-options", value: "SAMEORIGIN" },
  ],
});

/** The backend that stands for a website. */
export function websiteBackend(website: WebsiteBackendInput): BackendInput {
  const { frontend_host, backend_protocol, server_host, server_port } = website;
  return {
    name: `website ${frontend_host}`,
    backend_protocol,
    frontend_host,
    backend_host: null,
    balance_algorithm: "least_conn",
    servers: [{ host: server_host, port: server_port }],
    url_matches: [{ frontend_prefix: "/", backend_prefix: "/" }],
    backend_tls: null,
    health_check: null,
    settings: passThrough,
    sub_settings: [],
    rewrites: [],
  };
}

/** Visitors who come over plain HTTP are sent to HTTPS where there is HTTPS. */
export function websiteHttps(config: Configuration): HttpsRules {
  const paths = config.router.website_backend_required_https_regex_default;
  const isServed = config.https_port !== null;
  return {
    isServed,
    place: config,
    redirectedPaths: isServed && paths !== "" ? new Pattern(paths) : null,
  };
}
