import { internals } from "./context.ts";
import type { Middleware } from "./types.ts";

export interface CSPOptions {
  /** Directives to add, or to put in place of the default with the same name: `"img-src 'self' data:"`. */
  csp?: string[];
  /** Only report what would be refused. */
  reportOnly?: boolean;
  /** Where browsers send reports. */
  reportTo?: string;
  /** Let scripts and styles run by the nonce of the answer, and none inline besides. */
  useNonce?: boolean;
}

/**
 * A strict policy: everything from this site alone. It does not ask browsers to turn http
 * into https (`upgrade-insecure-requests`), which would break a site opened over plain http
 * on a local network.
 */
function defaultDirectives(inline: string): string[] {
  return [
    "default-src 'self'",
    `script-src 'self' ${inline}`,
    `style-src 'self' ${inline}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' data:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
}

/** Sends a Content-Security-Policy with every answer that has none. */
export function csp<State>(options: CSPOptions = {}): Middleware<State> {
  const header = options.reportOnly
    ? "content-security-policy-report-only"
    : "content-security-policy";
  return async (ctx) => {
    const response = await ctx.next();
    if (response.headers.has(header)) return response;
    const inline = options.useNonce ? `'nonce-${ctx[internals].nonce}'` : "'unsafe-inline'";
    const headers = new Headers(response.headers);
    headers.set(header, policy(defaultDirectives(inline), options));
    if (options.reportTo) {
      headers.set("reporting-endpoints", `csp-endpoint="${options.reportTo}"`);
    }
    return new Response(response.body, {
      status: response.status,
      statusText: response.statusText,
      headers,
    });
  };
}

function policy(defaults: string[], { csp = [], reportTo }: CSPOptions): string {
  const directives = new Map(
    [...defaults, ...csp].map((directive) => [directive.trim().split(/\s+/, 1)[0], directive]),
  );
  if (reportTo) {
    directives.set("report-to", "report-to csp-endpoint");
    directives.set("report-uri", `report-uri ${reportTo}`);
  }
  return [...directives.values()].join("; ");
}
