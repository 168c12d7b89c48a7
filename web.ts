/**
 * The web app: homepage, sign-up, admin. A Fresh app that does not listen; the
 * gateway hands it the requests for Portico's own paths.
 */
import { App, csp, staticFiles } from "fresh";
import { define, type State } from "@/define.ts";

/**
 * Fresh's own policy asks browsers to turn http into https, which would break an
 * admin opened over plain HTTP on a local network; options cannot take that out.
 */
const withoutHttpsUpgrade = define.middleware(async (ctx) => {
  const response = await ctx.next();
  const policy = response.headers.get("content-security-policy");
  if (policy !== null) {
    const kept = policy.replace(/;?\s*upgrade-insecure-requests/, "");
    response.headers.set("content-security-policy", kept);
  }
  return response;
});

const securityHeaders = define.middleware(async (ctx) => {
  const response = await ctx.next();
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("x-frame-options", "DENY");
  response.headers.set("referrer-policy", "same-origin");
  response.headers.set("cross-origin-opener-policy", "same-origin");
  return response;
});

export const app = new App<State>()
  .use(securityHeaders)
  .use(withoutHttpsUpgrade)
  .use(csp({
    useNonce: true,
    csp: [
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
    ],
  }))
  .use(staticFiles())
  .fsRoutes();
