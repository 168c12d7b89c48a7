/** Nothing of the admin is kept by a browser or a cache, the login page included. */
import { define } from "@/define.ts";

export default define.middleware(async (ctx) => {
  const response = await ctx.next();
  response.headers.set("cache-control", "no-store");
  return response;
});
