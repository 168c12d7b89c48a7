import assert from "node:assert/strict";
import { App, HttpError } from "../mod.ts";
import type { Handler } from "./app.ts";

const ORIGIN = "http://site.example";

function get(handler: Handler, path: string, init?: RequestInit): Promise<Response> {
  return handler(new Request(ORIGIN + path, init));
}

async function text(handler: Handler, path: string, init?: RequestInit): Promise<string> {
  return await (await get(handler, path, init)).text();
}

Deno.test("an exact path goes before a pattern, whichever was registered first", async () => {
  const handler = new App()
    .get("/users/:id", (ctx) => ctx.text(`user ${ctx.params.id}`))
    .get("/users/new", (ctx) => ctx.text("form"))
    .handler();
  assert.equal(await text(handler, "/users/new"), "form");
  assert.equal(await text(handler, "/users/7"), "user 7");
});

Deno.test("a path answers with and without a slash at its end", async () => {
  const handler = new App()
    .get("/a", (ctx) => ctx.text("a"))
    .get("/b/", (ctx) => ctx.text("b"))
    .get("/c/:id", (ctx) => ctx.text(ctx.params.id!))
    .handler();
  assert.equal(await text(handler, "/a/"), "a");
  assert.equal(await text(handler, "/b"), "b");
  assert.equal(await text(handler, "/c/1/"), "1");
});

Deno.test("runs of slashes in a path count as one", async () => {
  const handler = new App().get("/a/b", (ctx) => ctx.text(ctx.url.pathname)).handler();
  assert.equal(await text(handler, "/a///b"), "/a/b");
});

Deno.test("parameters are decoded, except for what would change the path", async () => {
  const handler = new App()
    .get("/one/:name", (ctx) => ctx.text(ctx.params.name!))
    .get("/all/:rest*", (ctx) => ctx.text(ctx.params.rest!))
    .get("/may{/:be}?", (ctx) => ctx.text(`[${ctx.params.be}]`))
    .handler();
  assert.equal(await text(handler, "/one/caf%C3%A9%2Fbar"), "café%2Fbar");
  assert.equal(await text(handler, "/all/b/c"), "b/c");
  assert.equal(await text(handler, "/may"), "[]");
});

Deno.test("a parameter that is not percent-encoded text is a bad request", async () => {
  const handler = new App().get("/:name", (ctx) => ctx.text("ok")).handler();
  assert.equal((await get(handler, "/%zz")).status, 400);
  assert.equal((await get(handler, "/%ff")).status, 400);
});

Deno.test("HEAD is answered as GET, without the body", async () => {
  const handler = new App().get("/", (ctx) => ctx.text("hello")).handler();
  const response = await get(handler, "/", { method: "HEAD" });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(await response.text(), "");
});

Deno.test("a wrong method is 405 and says which are right; OPTIONS asks for them", async () => {
  const handler = new App().get("/", (ctx) => ctx.text("")).post("/", (ctx) => ctx.text(""))
    .handler();
  const refused = await get(handler, "/", { method: "DELETE" });
  assert.equal(refused.status, 405);
  assert.equal(refused.headers.get("allow"), "GET, POST, HEAD, OPTIONS");
  const options = await get(handler, "/", { method: "OPTIONS" });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get("allow"), "GET, POST, HEAD, OPTIONS");
});

Deno.test("a middleware acts on the routes that come after it", async () => {
  const handler = new App<{ seen?: string }>()
    .get("/before", (ctx) => ctx.text(String(ctx.state.seen)))
    .use((ctx) => {
      ctx.state.seen = "yes";
      return ctx.next();
    })
    .get("/after", (ctx) => ctx.text(String(ctx.state.seen)))
    .handler();
  assert.equal(await text(handler, "/before"), "undefined");
  assert.equal(await text(handler, "/after"), "yes");
});

Deno.test("middlewares run from the outside in and see the answer on its way back", async () => {
  const steps: string[] = [];
  const step = (name: string) => async (ctx: { next(): Promise<Response> }) => {
    steps.push(`${name} in`);
    const response = await ctx.next();
    steps.push(`${name} out`);
    return response;
  };
  const handler = new App()
    .use("/admin/users", step("users"))
    .use(step("root"))
    .use("/admin", step("admin"))
    .get("/admin/users/:id", (ctx) => ctx.text("ok"))
    .handler();
  await get(handler, "/admin/users/1");
  assert.deepEqual(steps, [
    "root in",
    "admin in",
    "users in",
    "users out",
    "admin out",
    "root out",
  ]);
});

Deno.test("what no route answers runs all middlewares of the root, and none of a folder", async () => {
  const handler = new App()
    .use("/admin", () => new Response("from admin"))
    .get("/admin/users", (ctx) => ctx.text("users"))
    .use(async (ctx) => {
      const response = await ctx.next().catch(() => new Response(null, { status: 404 }));
      response.headers.set("x-root", "1");
      return response;
    })
    .handler();
  const unknown = await get(handler, "/admin/nope");
  assert.equal(unknown.status, 404);
  assert.equal(unknown.headers.get("x-root"), "1");
  const wrongMethod = await get(handler, "/admin/users", { method: "PUT" });
  assert.equal(wrongMethod.headers.get("x-root"), "1");
  assert.equal(await text(handler, "/admin/users"), "from admin");
});

Deno.test("a lazy middleware and a lazy page are loaded when they are hit", async () => {
  let loads = 0;
  const handler = new App()
    .use(() => Promise.resolve((ctx: { next(): Promise<Response> }) => ctx.next()))
    .route("/lazy", () => {
      loads++;
      return Promise.resolve({ handler: () => new Response("loaded") });
    })
    .handler();
  assert.equal(loads, 0);
  assert.equal(await text(handler, "/lazy"), "loaded");
  assert.equal(await text(handler, "/lazy"), "loaded");
  assert.equal(loads, 1);
});

Deno.test("an HttpError is its status and message, in plain text", async () => {
  const handler = new App()
    .get("/teapot", () => Promise.reject(new HttpError(418, "short and stout")))
    .get("/gone", () => Promise.reject(new HttpError(410)))
    .handler();
  const teapot = await get(handler, "/teapot");
  assert.equal(teapot.status, 418);
  assert.equal(await teapot.text(), "short and stout");
  assert.equal(await text(handler, "/gone"), "Gone");
  assert.equal(await text(handler, "/unknown"), "Not Found");
});

const onFire = () => Promise.reject(new Error("the database is <on fire>"));

Deno.test("any other error shows nothing of itself in production", async () => {
  const handler = new App().get("/", onFire).handler();
  const response = await reporting(() => get(handler, "/"));
  assert.equal(response.status, 500);
  assert.equal(await response.text(), "Internal server error");
});

Deno.test("any other error shows its stack in development", async () => {
  const handler = new App({ mode: "development" }).get("/", onFire).handler();
  const response = await reporting(() => get(handler, "/"));
  assert.equal(response.status, 500);
  assert.match(await response.text(), /the database is &lt;on fire>.*app_test\.ts/s);
});

/** Runs something that is to report an error on the console. */
async function reporting<T>(run: () => Promise<T>): Promise<T> {
  const { error } = console;
  let reports = 0;
  console.error = () => reports++;
  try {
    return await run();
  } finally {
    console.error = error;
    assert.equal(reports, 1);
  }
}

Deno.test("an error goes to the nearest error page, and what that throws to the next one", async () => {
  const handler = new App()
    .onError("*", (ctx) => ctx.text(`root: ${(ctx.error as Error).message}`, { status: 500 }))
    .onError("/admin", (ctx) => {
      if (ctx.url.searchParams.has("twice")) throw new Error("second");
      return ctx.text(`admin: ${(ctx.error as Error).message}`, { status: 500 });
    })
    .get("/admin/x", () => Promise.reject(new Error("first")))
    .get("/y", () => Promise.reject(new Error("first")))
    .handler();
  assert.equal(await text(handler, "/admin/x"), "admin: first");
  assert.equal(await text(handler, "/admin/x?twice"), "root: second");
  assert.equal(await text(handler, "/y"), "root: first");
  // Unmatched: the root's, whatever the folder.
  assert.equal(await text(handler, "/admin/nope"), "root: ");
});

Deno.test("middlewares see the error page, and their own errors have one too", async () => {
  const handler = new App()
    .onError("*", (ctx) => ctx.text("sorry", { status: 500 }))
    .use(async (ctx) => {
      if (ctx.url.pathname === "/mine") throw new Error("thrown by the middleware");
      const response = await ctx.next();
      response.headers.set("x-seen", "1");
      return response;
    })
    .get("/", () => Promise.reject(new Error("thrown by the handler")))
    .get("/mine", (ctx) => ctx.text("unreached"))
    .handler();
  assert.equal((await get(handler, "/")).headers.get("x-seen"), "1");
  assert.equal(await text(handler, "/mine"), "sorry");
});

Deno.test("404 is the root's notFound wherever it is thrown, even below another error page", async () => {
  const handler = new App()
    .notFound((ctx) => ctx.text("nothing here", { status: 404 }))
    .onError("/admin", (ctx) => ctx.text("admin error"))
    .get("/admin/user", () => Promise.reject(new HttpError(404)))
    .handler();
  assert.equal(await text(handler, "/admin/user"), "nothing here");
  assert.equal(await text(handler, "/nope"), "nothing here");
});

Deno.test("an error page that is a component answers with the error's status", async () => {
  const handler = new App()
    .onError("*", { component: ({ error }) => String((error as Error).message) })
    .get("/", () => Promise.reject(new HttpError(403, "not yours")))
    .handler();
  const response = await get(handler, "/");
  assert.equal(response.status, 403);
  assert.match(await response.text(), /<body>not yours<\/body>/);
});

Deno.test("a middleware that returns no response is an error", async () => {
  const app = new App().onError("*", (ctx) => ctx.text(String(ctx.error)));
  // As from JavaScript: the types do not let it through.
  Reflect.apply(app.get, app, ["/", () => undefined]);
  assert.match(await text(app.handler(), "/"), /must return a Response/);
});

Deno.test("what the server says of the connection reaches the app as it is", async () => {
  const info = {
    remoteAddr: { transport: "tcp" as const, hostname: "192.0.2.1", port: 1 },
    completed: Promise.resolve(),
    extra: "kept",
  };
  let seen: unknown;
  const handler = new App().get("/", (ctx) => {
    seen = ctx.info;
    return ctx.text("");
  }).handler();
  await handler(new Request(ORIGIN), info);
  assert.equal(seen, info);
});

Deno.test("a redirect to a path never leaves the site", async () => {
  const targets: Record<string, string> = {
    "/next": "/next",
    "//evil.example/x": "/evil.example/x",
    "/\\evil.example": "/evil.example",
    "\\\\evil.example": "/evil.example",
    "/\t/evil.example": "/evil.example",
    "/a//b?to=//c": "/a/b?to=//c",
    "/日本?q=é": "/%E6%97%A5%E6%9C%AC?q=%C3%A9",
    "https://other.example//x": "https://other.example//x",
  };
  const handler = new App().post("/", async (ctx) => ctx.redirect(await ctx.req.text(), 303))
    .handler();
  for (const [given, location] of Object.entries(targets)) {
    const response = await get(handler, "/", { method: "POST", body: given });
    assert.equal(response.status, 303);
    assert.equal(response.headers.get("location"), location);
  }
});

Deno.test("below a base path, the app sees the rest of the path; elsewhere there is nothing", async () => {
  const handler = new App({ basePath: "/docs" }).get("/a", (ctx) => ctx.text(ctx.route!))
    .handler();
  assert.equal(await text(handler, "/docs/a"), "/a");
  assert.equal((await get(handler, "/a")).status, 404);
  assert.equal((await get(handler, "/docsa")).status, 404);
});

Deno.test("forwarded headers name the site only when the proxy is trusted", async () => {
  const headers = { "x-forwarded-proto": "https, http", "x-forwarded-host": "public.example" };
  const origin = (trustProxy: boolean) =>
    text(new App({ trustProxy }).get("/", (ctx) => ctx.text(ctx.url.origin)).handler(), "/", {
      headers,
    });
  assert.equal(await origin(false), ORIGIN);
  assert.equal(await origin(true), "https://public.example");
});

Deno.test("an app mounted in another answers below its path, inside the outer middlewares", async () => {
  const inner = new App<{ by?: string }>()
    .use((ctx) => {
      ctx.state.by += " inner";
      return ctx.next();
    })
    .get("/x", (ctx) => ctx.text(ctx.state.by!));
  const handler = new App<{ by?: string }>()
    .use((ctx) => {
      ctx.state.by = "outer";
      return ctx.next();
    })
    .mountApp("/in", inner)
    .get("/out", (ctx) => ctx.text(ctx.state.by!))
    .handler();
  assert.equal(await text(handler, "/in/x"), "outer inner");
  assert.equal(await text(handler, "/out"), "outer");
});

Deno.test("file routes without a build say how to get one", () => {
  assert.throws(() => new App().fsRoutes().handler(), /needs a build/);
});
