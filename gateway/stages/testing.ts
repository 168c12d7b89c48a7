/** Calls made up for the tests of the stages. */
import { cacheSpace } from "../cache/key.ts";
import { compileEntrance } from "../compile/entrance.ts";
import type { CompiledBackend } from "../compile/backend.ts";
import type { Route } from "../compile/routes.ts";
import { Layers } from "../compile/layers.ts";
import { type CompiledSettings, compileSettings } from "../compile/settings.ts";
import { defaultConfiguration } from "../config/configuration.ts";
import { readApiKey } from "../exchange/api_key.ts";
import { type Exchange, isMalformed, readExchange } from "../exchange/exchange.ts";
import type { KeyHolder } from "../keys/key_holder.ts";
import { backendSettings } from "../records/settings.ts";
import { userSettings } from "../records/user.ts";
import { StrippedCookies } from "../rewriting/cookies.ts";
import { RewriteRules, type WrittenRewrite } from "../rewriting/rewrite_rules.ts";
import * as v from "valibot";
import type { Call } from "./call.ts";

export interface CallOptions {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Record<string, string>;
  readonly address?: string;
  readonly settings?: v.InferInput<typeof backendSettings>;
  readonly holder?: Partial<KeyHolder> | null;
  readonly rewrites?: readonly WrittenRewrite[];
  /** Expressions for the names of cookies that backends do not get. */
  readonly stripCookies?: readonly string[];
  readonly frontendHost?: string;
  readonly frontendPrefix?: string;
  readonly backendPrefix?: string;
  readonly https?: boolean;
}

const MADE_UP_USER = "018f0000-0000-7000-8000-000000000001";

/** A call by a good key to a backend with the given settings. */
export function callWith(options: CallOptions = {}): Call {
  const exchange = exchangeOf(options);
  const route = routeOf(options);
  return {
    exchange,
    route,
    settings: route.backend.settings,
    credential: readApiKey(exchange, ["header", "get_param", "basic_auth_username"]),
    holder: options.holder === null ? null : holderOf(options.holder ?? {}),
  };
}

function exchangeOf(options: CallOptions): Exchange {
  const url = options.url ?? `${options.https ? "https" : "http"}://a.example/api/x`;
  const headers = { host: new URL(url).host, ...options.headers };
  // Request drops Host and normalises the URL; the stages see what the server gives.
  const request = {
    url,
    method: options.method ?? "GET",
    headers: new Headers(headers),
    body: null,
  };
  const read = readExchange(request, {
    peer: options.address ?? "192.0.2.1",
    scheme: options.https ? "https" : "http",
    entrance: compileEntrance(defaultConfiguration),
    headBounds: { url: 8192, header: 8192, headers: 32_768 },
  });
  if (isMalformed(read)) throw new Error(read.refusal.reason);
  return read;
}

export function holderOf(holder: Partial<KeyHolder>): KeyHolder {
  return {
    id: MADE_UP_USER,
    email: "caller@example.org",
    enabled: true,
    expiresAt: Infinity,
    emailVerified: false,
    roles: new Set(),
    settings: v.parse(userSettings, {}),
    allowedAddresses: [],
    allowedReferers: [],
    rateLimits: null,
    quotas: null,
    backendLimits: null,
    throttleByIp: false,
    createdAt: 0,
    ...holder,
  };
}

function settingsOf(options: CallOptions): CompiledSettings {
  const layers = new Layers({}, v.parse(backendSettings, options.settings ?? {}));
  return compileSettings(layers, {
    upstream: {
      connect_timeout_seconds: 30,
      read_timeout_seconds: 60,
      send_timeout_seconds: 60,
      total_timeout_seconds: null,
    },
    client: {
      body_max_bytes: null,
      body_timeout_seconds: Infinity,
      body_min_bytes_per_second: 0,
      send_timeout_seconds: Infinity,
    },
    https: {
      isServed: false,
      place: { base_url: null, https_port: null, override_public_https_port: null },
      redirectedPaths: null,
    },
    hidesServer: false,
    strippedAnswerCookies: [],
  }, options.frontendHost ?? "*");
}

function routeOf(options: CallOptions): Route {
  const backend: Omit<CompiledBackend, "upstream" | "source"> = {
    id: "backend-1",
    name: "Backend",
    isWebsite: false,
    settings: settingsOf(options),
    publicHost: null,
    upstreamHost: (_host, authority) => authority,
    subUrls: [],
    rewrites: options.rewrites === undefined ? null : new RewriteRules(options.rewrites),
    strippedCookies: new StrippedCookies(options.stripCookies ?? []),
    cacheSpace: cacheSpace("backend-1", "1"),
  };
  return {
    frontendPrefix: options.frontendPrefix ?? "/api/",
    backendPrefix: options.backendPrefix ?? "/",
    order: 0,
    backend: backend as CompiledBackend, // no stage asks for the connections
  };
}
