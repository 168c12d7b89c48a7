import { internals } from "./context_internals.ts";
import { withHeader } from "./responses.ts";
import type { Middleware } from "./types.ts";

export interface CSPOptions {
  /** Directives to add, or to put in place of the default with the same name: `"img-src 'self' data:"`. */
  csp?: string[];
  /** Lets scripts and styles run by the nonce of the answer, and none inline besides. */
  useNonce?: boolean;
}

/**
 * Everything from this site alone. Browsers are not asked to turn http into https
 * (`upgrade-insecure-requests`): that breaks a site opened over plain http on a local network.
 */
function defaultDirectives(inline: string): string[] {
  return [
    "default-src 'self'",
    `script-src 'self' ${inline}`,
    `style-src 'self' ${inline}`,
    "font-src 'self'",
    "img-src 'self' data:",
    "media-src 'self' data:",
    "worker-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
}

/** Sends a Content-Security-Policy with every answer. */
export function csp<State>({ csp = [], useNonce = false }: CSPOptions = {}): Middleware<State> {
  return async (ctx) => {
    const response = await ctx.next();
    const inline = useNonce ? `'nonce-${ctx[internals].nonce}'` : "'unsafe-inline'";
    // The later one of two with the same name counts.
    const directives = new Map(
      [...defaultDirectives(inline), ...csp].map((text) => [text.trim().split(/\s+/, 1)[0], text]),
    );
    return withHeader(response, "content-security-policy", [...directives.values()].join("; "));
  };
}
