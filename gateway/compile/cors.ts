/** What settings say about pages of other sites (CORS, Fetch §3.3), made ready for the calls. */
import type { Layers } from "./layers.ts";

/** Seconds. */
const DEFAULT_MAX_AGE = 600;

/** Headers of answers that pages may always read: what the gateway itself tells callers. */
const ALWAYS_EXPOSED = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
];

/** Whatever else pages may send, the key is what they need to call at all. */
const ALWAYS_ALLOWED = "X-Api-Key";

/** Which origins may call; null: any. */
export type AllowedOrigins = ((origin: string) => boolean) | null;

export interface CompiledCors {
  readonly allowsOrigin: AllowedOrigins;
  /** Values of the fields; null: whatever a page asks for. */
  readonly methods: string | null;
  readonly headers: string | null;
  readonly exposed: string;
  /** Never with any origin: each page anybody opens could then act with their cookies. */
  readonly credentials: boolean;
  readonly maxAge: string;
}

/** Null: CORS is off. */
export function compileCors(layers: Layers): CompiledCors | null {
  if (layers.value("cors") !== true) return null;
  const allowsOrigin = compileOrigins(layers.value("cors_allowed_origins") ?? []);
  const headers = layers.value("cors_allowed_headers");
  return {
    allowsOrigin,
    methods: layers.value("cors_allowed_methods")?.join(", ") ?? null,
    headers: headers === undefined ? null : joined([...headers, ALWAYS_ALLOWED]),
    exposed: joined([...ALWAYS_EXPOSED, ...layers.value("cors_exposed_headers") ?? []]),
    credentials: allowsOrigin !== null && layers.value("cors_allow_credentials") === true,
    maxAge: String(layers.value("cors_max_age_seconds") ?? DEFAULT_MAX_AGE),
  };
}

/** Each name once, in capitals or not. */
function joined(names: readonly string[]): string {
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(", ");
}

function compileOrigins(origins: readonly string[]): AllowedOrigins {
  if (origins.length === 0 || origins.includes("*")) return null;
  const exact = new Set(origins);
  const families = origins.filter((origin) => origin.includes("*")).map(family);
  return (origin) => exact.has(origin) || families.some((isOf) => isOf(origin));
}

/** The names that `*` may stand for: nothing that would end the host. */
const SUBDOMAIN = /^[a-z0-9_.-]+$/;

/** `https://*.example.org` holds the origins of all subdomains, however deep. */
function family(pattern: string): (origin: string) => boolean {
  const [scheme = "", domain = ""] = pattern.split("*");
  return (origin) =>
    origin.startsWith(scheme) && origin.endsWith(domain) &&
    SUBDOMAIN.test(origin.slice(scheme.length, -domain.length));
}
