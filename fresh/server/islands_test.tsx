import assert from "node:assert/strict";
import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren, VNode } from "preact";
import { App } from "../mod.ts";
import { applySnapshot } from "./snapshot.ts";

function Counter({ start }: { start: number }) {
  return <output>{start}</output>;
}

function Panel({ open, title, children }: {
  open: boolean;
  title?: VNode;
  children?: ComponentChildren;
}) {
  return (
    <section>
      {title}
      {open && children}
    </section>
  );
}

function Live({ count }: { count: Signal<number> }) {
  return <>{count}</>;
}

function Outer() {
  return <Counter start={1} />;
}

/** The answer to a page that shows `element`, in an app with these islands. */
function answerWith(element: VNode): Promise<Response> {
  const app = new App()
    .onError("*", (ctx) => ctx.text(String(ctx.error), { status: 500 }))
    .get("/", (ctx) => ctx.render(element));
  const islands = Object.entries({ Counter, Panel, Live, Outer });
  applySnapshot(app, {
    buildId: "b1",
    mode: "production",
    root: "",
    routes: [],
    islands: islands.map(([name, component]) => ({
      name,
      module: { default: component, notAnIsland: "text" },
      url: `/_fresh/js/b1/${name}.js`,
      preload: ["/_fresh/js/b1/shared.js"],
    })),
    bootScripts: ["/_fresh/js/b1/boot.js", "/_fresh/js/b1/shared.js"],
    reloadScript: null,
    staticFiles: {},
  });
  return app.handler()(new Request("http://site.example/"));
}

async function htmlWith(element: VNode): Promise<string> {
  return await (await answerWith(element)).text();
}

/** The body without the data and the script at its end. */
async function bodyWith(element: VNode): Promise<string> {
  return /<body>(.*?)(<script|<\/body>)/s.exec(await htmlWith(element))![1]!;
}

Deno.test("a page without islands has no script and announces none", async () => {
  const response = await answerWith(<p>plain</p>);
  assert.equal(response.headers.get("link"), null);
  assert.doesNotMatch(await response.text(), /<script/);
});

Deno.test("a page with islands has one script, and says early what it will load", async () => {
  const response = await answerWith(<Counter start={1} />);
  assert.equal(
    response.headers.get("link"),
    ["boot", "shared", "Counter"].map((name) => `</_fresh/js/b1/${name}.js>; rel="modulepreload"`)
      .join(", "),
  );
  const html = await response.text();
  const scripts = [...html.matchAll(/<script (?!type="application\/json")[^>]*>/g)];
  assert.equal(scripts.length, 1);
  assert.match(
    scripts[0]![0],
    /^<script type="module" src="\/_fresh\/js\/b1\/boot\.js" nonce="[^"]{22,}">$/,
  );
  assert.match(html, /<\/script><\/body><\/html>$/);
});

Deno.test("an island stands between comments, with no element of its own", async () => {
  assert.equal(
    await bodyWith(
      <p>
        <Counter start={1} />
        <Counter start={2} key="b--><script>" />
      </p>,
    ),
    "<p><!--frsh:island:Counter:0:--><output>1</output><!--/frsh:island-->" +
      "<!--frsh:island:Counter:1:b--%3E%3Cscript%3E--><output>2</output><!--/frsh:island--></p>",
  );
});

Deno.test("an island inside another is a plain component", async () => {
  assert.equal(
    await bodyWith(<Outer />),
    "<!--frsh:island:Outer:0:--><output>1</output><!--/frsh:island-->",
  );
});

Deno.test("JSX for an island is a slot, in which islands are islands again", async () => {
  assert.equal(
    await bodyWith(
      <Panel open title={<h2>Title</h2>}>
        text <Counter start={1} />
      </Panel>,
    ),
    "<!--frsh:island:Panel:0:--><section>" +
      "<!--frsh:slot:0:title--><h2>Title</h2><!--/frsh:slot-->" +
      "<!--frsh:slot:1:children-->text <!--frsh:island:Counter:1:--><output>1</output>" +
      "<!--/frsh:island--><!--/frsh:slot--></section><!--/frsh:island-->",
  );
});

Deno.test("JSX that an island does not show at first waits in a template", async () => {
  assert.match(
    await bodyWith(<Panel open={false}>{<b>later</b>}</Panel>),
    /<section><\/section>.*<template id="frsh-slot-0"><b>later<\/b><\/template>$/,
  );
});

Deno.test("children that are text, and signals, are data and no slots", async () => {
  const html = await htmlWith(
    <p>
      <Panel open={false}>text</Panel>
      <Live count={signal(3)} />
    </p>,
  );
  assert.match(html, /<!--frsh:island:Live:1:-->3<!--/);
  assert.doesNotMatch(html, /frsh:slot|<template/);
});

Deno.test("no data can end the block it is in", async () => {
  const html = await htmlWith(
    <Panel open={false}>{"</script><script>alert(1)</script><!--"}</Panel>,
  );
  assert.doesNotMatch(html, /alert\(1\)<\/script>/);
  assert.match(html, /\\u003c\/script>\\u003cscript>alert\(1\)/);
});

Deno.test("an element that a module keeps is an island each time it is shown", async () => {
  const kept = <Counter start={7} />;
  assert.equal(await bodyWith(kept), await bodyWith(kept));
});

Deno.test("a function for an island is an error that names island and prop", async () => {
  // As from JavaScript: the types do not let it through.
  const props = { open: true, title: () => null } as object as { open: boolean };
  const response = await answerWith(<Panel {...props} />);
  assert.equal(response.status, 500);
  assert.match(await response.text(), /Island <Panel>\.title: a function cannot be sent/);
});
