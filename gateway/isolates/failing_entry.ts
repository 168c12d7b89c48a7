/**
 * A serving isolate that fails in the way a call asks for, and tells its name in
 * every answer; for tests.
 */

/** How an isolate may fail: the value of the field `X-Fail` of a call. */
export type Failing = "throw" | "reject" | "close";

const name = crypto.randomUUID();
const { serve } = Deno;

/** As `listeners.ts` calls it. */
const failingServe = (options: Deno.ServeTcpOptions, handle: Deno.ServeHandler<Deno.NetAddr>) =>
  serve(options, async (request, info) => {
    fail(request.headers.get("x-fail"));
    const response = await handle(request, info);
    response.headers.set("x-isolate", name);
    return response;
  });
Object.defineProperty(Deno, "serve", { value: failingServe });

function fail(how: string | null): void {
  switch (how) {
    case "throw":
      setTimeout(() => {
        throw new Error("thrown for a test");
      }, 0);
      break;
    case "reject":
      Promise.reject(new Error("rejected for a test"));
      break;
    case "close":
      self.close();
  }
}

await import("./serving_entry.ts");
