import assert from "node:assert/strict";
import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { App, createDefine, csp, HttpError, page, type PageProps } from "../mod.ts";
import { Head } from "../runtime.ts";

async function htmlOf<State>(app: App<State>, path = "/"): Promise<string> {
  return await (await app.handler()(new Request(`http://site.example${path}`))).text();
}

function Wrapper({ Component }: PageProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Default</title>
        <meta name="description" content="of the site" />
        <link rel="stylesheet" href="/site.css" />
      </head>
      <body>
        <Component />
      </body>
    </html>
  );
}

const HEAD_OF_WRAPPER = '<meta charset="utf-8"/><title>Default</title>' +
  '<meta name="description" content="of the site"/><link rel="stylesheet" href="/site.css"/>';

Deno.test("a page is whole, whatever part of a document it brings along", async () => {
  const documentOf = (element: VNode) => htmlOf(new App().get("/", (ctx) => ctx.render(element)));
  assert.equal(
    await documentOf(<p>hi</p>),
    '<!DOCTYPE html><html><head><meta charset="utf-8"/></head><body><p>hi</p></body></html>',
  );
  assert.equal(
    await documentOf(<body class="b">hi</body>),
    '<!DOCTYPE html><html><head><meta charset="utf-8"/></head><body class="b">hi</body></html>',
  );
  assert.equal(
    await documentOf(<html lang="en" data-x="a > b">hi</html>),
    '<!DOCTYPE html><html lang="en" data-x="a > b"><head><meta charset="utf-8"/></head>' +
      "<body>hi</body></html>",
  );
  assert.equal(
    await documentOf(
      <html>
        <head>
          <title>t</title>
        </head>
        <p>hi</p>
      </html>,
    ),
    "<!DOCTYPE html><html><head><title>t</title></head><body><p>hi</p></body></html>",
  );
});

Deno.test("the wrapper is around the layouts, and these around the page, outermost first", async () => {
  const app = new App()
    .appWrapper(Wrapper)
    .layout("/", ({ Component }) => <main>{<Component />}</main>)
    .layout("/admin", ({ Component }) => <section>{<Component />}</section>)
    .route("/admin/x", { component: () => <p>page</p> });
  assert.match(
    await htmlOf(app, "/admin/x"),
    /<body><main><section><p>page<\/p><\/section><\/main><\/body>/,
  );
});

Deno.test("a page or layout can do without what is around it", async () => {
  const app = new App()
    .appWrapper(Wrapper)
    .layout("/", ({ Component }) => <main>{<Component />}</main>)
    .route("/bare", {
      component: () => <p>bare</p>,
      config: { skipInheritedLayouts: true, skipAppWrapper: true },
    })
    .layout("/own", ({ Component }) => <div>{<Component />}</div>, { skipInheritedLayouts: true })
    .route("/own/page", { component: () => <p>own</p> });
  assert.match(await htmlOf(app, "/bare"), /<head><meta charset="utf-8"\/><\/head><body><p>bare/);
  assert.match(await htmlOf(app, "/own/page"), /<body><div><p>own<\/p><\/div><\/body>/);
});

Deno.test("pages, layouts and wrapper may be async", async () => {
  const app = new App()
    .appWrapper(async ({ Component }) => {
      await Promise.resolve();
      return (
        <html>
          <head></head>
          <body>
            <Component />
          </body>
        </html>
      );
    })
    .layout("/", async ({ Component }) => {
      await Promise.resolve();
      return (
        <main>
          <Component />
        </main>
      );
    })
    .route("/", {
      component: async () => {
        await Promise.resolve();
        return <p>waited</p>;
      },
    });
  assert.match(await htmlOf(app), /<body><main><p>waited<\/p><\/main><\/body>/);
});

Deno.test("a component may answer instead of showing something", async () => {
  const away = () => new Response(null, { status: 303, headers: { location: "/login" } });
  const app = new App()
    .layout("/kept", away)
    .route("/sync", { component: away })
    // deno-lint-ignore require-await -- async is what makes the difference
    .route("/async", { component: async () => away() })
    .route("/kept", { component: () => <p>kept</p> });
  for (const path of ["/sync", "/async", "/kept"]) {
    const response = await app.handler()(new Request(`http://site.example${path}`));
    assert.equal(response.status, 303, path);
  }
});

Deno.test("a handler's data, status and headers become the page's", async () => {
  const define = createDefine<{ user: string }>();
  const handler = define.handlers({
    GET: (ctx) => {
      ctx.state.user = "ada";
      return page({ fields: ["email"] });
    },
    POST: () =>
      page({ fields: [], problem: "taken" }, { status: 422, headers: { "x-tries": "1" } }),
  });
  const Form = define.page<typeof handler>(({ data, state }) => (
    <p>
      {state.user}: {"problem" in data ? data.problem : data.fields.join()}
    </p>
  ));
  const app = new App<{ user: string }>().route("/", { handler, component: Form });
  assert.match(await htmlOf(app), /<p>ada: email<\/p>/);
  const posted = await app.handler()(new Request("http://site.example/", { method: "POST" }));
  assert.equal(posted.status, 422);
  assert.equal(posted.headers.get("x-tries"), "1");
  assert.match(await posted.text(), /: taken/);
});

Deno.test("a page without a handler gets empty data and answers GET alone", async () => {
  const app = new App().route("/", { component: ({ data }) => JSON.stringify(data) });
  assert.match(await htmlOf(app), /<body>\{\}<\/body>/);
  const post = await app.handler()(new Request("http://site.example/", { method: "POST" }));
  assert.equal(post.status, 405);
});

Deno.test("the head takes in what pages and layouts put there", async () => {
  const app = new App()
    .appWrapper(Wrapper)
    .layout("/", ({ Component }) => (
      <>
        <Head>
          <title>Layout</title>
          <meta name="robots" content="none" />
        </Head>
        <Component />
      </>
    ))
    .route("/", {
      component: () => (
        <Head>
          <title>Page</title>
          <meta name="description" content="of the page" />
          <link key="page" rel="stylesheet" href="/page.css" />
        </Head>
      ),
    })
    .route("/plain", { component: () => <p /> });
  const html = await htmlOf(app);
  assert.equal(html.match(/<title>/g)?.length, 1);
  assert.match(html, /<title>Page<\/title><meta name="description" content="of the page"/);
  assert.match(html, /href="\/site\.css"\/><meta name="robots" content="none"[^>]*>/);
  assert.match(html, /<link rel="stylesheet" href="\/page\.css"[^>]*><\/head>/);
  assert.ok((await htmlOf(app, "/plain")).includes(`<title>Layout</title>`));
});

Deno.test("without a Head the wrapper's head stays as it is", async () => {
  const app = new App().appWrapper(Wrapper).get("/", (ctx) => ctx.render(<p />));
  assert.ok((await htmlOf(app)).includes(`<head>${HEAD_OF_WRAPPER}</head>`));
});

Deno.test("links to the page itself and to what is above it are marked", async () => {
  const app = new App().get("/a/b", (ctx) =>
    ctx.render(
      <nav>
        <a href="/a/b/">here</a>
        <a href="/a?x#y">above</a>
        <a href="/ab">beside</a>
        <a href="https://other.example/a">elsewhere</a>
        <a href="/a" aria-current="step">its own</a>
      </nav>,
    ));
  assert.match(
    await htmlOf(app, "/a/b"),
    new RegExp(
      '<a href="/a/b/" aria-current="page" data-current="true">here</a>' +
        '<a href="/a\\?x#y" aria-current="true" data-ancestor="true">above</a>' +
        '<a href="/ab">beside</a><a href="https://other.example/a">elsewhere</a>' +
        '<a href="/a" aria-current="step">its own</a>',
    ),
  );
});

Deno.test("scripts and styles get the nonce that the policy allows, a new one each time", async () => {
  const hoisted = <script dangerouslySetInnerHTML={{ __html: "1" }} />;
  const app = new App().use(csp({ useNonce: true })).get("/", (ctx) => ctx.render(hoisted));
  const handler = app.handler();
  const nonces = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const response = await handler(new Request("http://site.example/"));
    const policy = response.headers.get("content-security-policy")!;
    const nonce = /script-src 'self' 'nonce-([^']+)'/.exec(policy)![1]!;
    assert.ok((await response.text()).includes(`<script nonce="${nonce}">1</script>`));
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 2);
});

Deno.test("the policy can be changed directive by directive and never upgrades to https", async () => {
  const app = new App().use(csp({ csp: ["default-src 'none'", "img-src *"] }))
    .get("/", (ctx) => ctx.text(""));
  const response = await app.handler()(new Request("http://site.example/"));
  const policy = response.headers.get("content-security-policy")!;
  assert.match(policy, /^default-src 'none'; script-src 'self' 'unsafe-inline';/);
  assert.match(policy, /; img-src \*;/);
  assert.doesNotMatch(policy, /upgrade-insecure-requests|img-src 'self'/);
});

Deno.test("ids are unique over page and wrapper", async () => {
  const Labelled = () => <i id={useId()} />;
  const app = new App()
    .appWrapper(({ Component }) => (
      <body>
        <Labelled />
        <Component />
      </body>
    ))
    .get("/", (ctx) => ctx.render(<Labelled />));
  const ids = [...(await htmlOf(app)).matchAll(/<i id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, 2);
});

Deno.test("what cannot be rendered says so", async () => {
  const messages: string[] = [];
  const app = new App()
    .onError("*", (ctx) => {
      messages.push((ctx.error as Error).message);
      return ctx.text("", { status: ctx.error instanceof HttpError ? 400 : 500 });
    })
    .get("/text", (ctx) => ctx.render("just text"))
    .route("/promise", { component: () => Promise.resolve(<p />) })
    .route("/nothing", { handler: () => page() });
  for (const path of ["/text", "/promise", "/nothing"]) await htmlOf(app, path);
  assert.deepEqual(messages, [
    "ctx.render() takes a JSX element",
    "A component that returns a promise must be declared async",
    "A handler returned page(…), but there is no page",
  ]);
});
