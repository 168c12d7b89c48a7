// From a page to a document: layouts and app wrapper around it, the tree to
// HTML, then what the document needs of the head, and of scripts if there are islands.
import { type ComponentChildren, Fragment, h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Context } from "./context.ts";
import { internals } from "./context_internals.ts";
import { setIdNamespace } from "../runtime/island_markers.ts";
import { hiddenSlots, islandBundles, islandScripts, reloadScript } from "./islands.ts";
import { rawHtml } from "./raw_html.ts";
import { RenderState } from "./render_state.ts";
import { remainingHead } from "./vnode_hooks.ts";
import type { LayoutConfig, PageProps, RouteComponent } from "./types.ts";

/** Stands for the page while the app wrapper is rendered around it. */
const PAGE_MARK = "<!--frsh:page-->";

/** Renders a page, layouts and all, as the answer to `ctx`. */
export function renderComponent<State>(
  ctx: Context<State>,
  component: RouteComponent<never, State>,
  data: unknown,
  init: ResponseInit,
  config: LayoutConfig = {},
): Promise<Response> {
  return answering(async () => {
    const page = await placed(ctx, component, data, null);
    return await documentResponse(ctx, page, init, config);
  });
}

/** Renders `vnode` inside the layouts and the app wrapper of `ctx`. */
export function renderDocument<State>(
  ctx: Context<State>,
  vnode: VNode,
  init: ResponseInit,
  config: LayoutConfig,
): Promise<Response> {
  return answering(() => documentResponse(ctx, vnode, init, config));
}

async function documentResponse<State>(
  ctx: Context<State>,
  page: ComponentChildren,
  init: ResponseInit,
  config: LayoutConfig,
): Promise<Response> {
  const { frame, nonce, snapshot } = ctx[internals];
  const state = new RenderState({ snapshot, nonce, pathname: ctx.url.pathname });
  let renderings = 0;
  const toHtml = (children: ComponentChildren) => {
    const root = h(Fragment, null, children);
    setIdNamespace(root, `r${renderings++}`);
    return state.during(() => renderToString(root));
  };

  let inside = page;
  for (const layout of config.skipInheritedLayouts ? [] : frame.layouts.toReversed()) {
    inside = await placed(ctx, layout.component, undefined, inside);
  }
  let html = toHtml(inside);
  const templates = hiddenSlots(state, toHtml);
  if (frame.wrapper && !config.skipAppWrapper) {
    const content = html;
    const wrapped = await placed(ctx, frame.wrapper, undefined, rawHtml(PAGE_MARK));
    html = toHtml(wrapped).replace(PAGE_MARK, () => content);
  }
  const head = toHtml(
    state.has.has("head") ? remainingHead(state) : [
      h("meta", { charset: "utf-8" }),
      ...remainingHead(state),
    ],
  );
  const { basePath } = ctx.config;
  const tail = templates + islandScripts(state, basePath) +
    reloadScript(state, basePath);
  return respond(completed(html, head, tail, state.has), islandBundles(state), basePath, init);
}

/** The answer of `render`, or the one that a component gave instead of something to show. */
async function answering(render: () => Promise<Response>): Promise<Response> {
  try {
    return await render();
  } catch (thrown) {
    if (thrown instanceof AnsweredInstead) return thrown.response;
    throw thrown;
  }
}

class AnsweredInstead {
  constructor(readonly response: Response) {}
}

const AsyncFunction = (async () => {}).constructor;

/** A component with its props, ready to be rendered; one that is declared async has run. */
async function placed<State>(
  ctx: Context<State>,
  component: RouteComponent<never, State>,
  data: unknown,
  inside: ComponentChildren,
): Promise<ComponentChildren> {
  const props = pageProps(ctx, data, inside);
  if (component instanceof AsyncFunction) return shown(await component(props));
  return h(() => {
    const result = component(props);
    if (result instanceof Promise) {
      throw new TypeError("A component that returns a promise must be declared async");
    }
    return shown(result);
  }, null);
}

/** The props of a page, layout or wrapper. */
function pageProps<State>(
  ctx: Context<State>,
  data: unknown,
  inside: ComponentChildren,
): PageProps<never, State> {
  // The handler that made `data` and the component that takes it were typed together, by the app.
  return {
    data: data as never,
    url: ctx.url,
    req: ctx.req,
    params: ctx.params,
    info: ctx.info,
    state: ctx.state,
    config: ctx.config,
    route: ctx.route,
    error: ctx.error,
    isPartial: ctx.isPartial,
    Component: () => inside,
  };
}

function shown(result: ComponentChildren | Response): ComponentChildren {
  if (result instanceof Response) throw new AnsweredInstead(result);
  return result;
}

/** `html` with the html, head and body elements it lacks, `head` and `tail` at their ends. */
function completed(html: string, head: string, tail: string, has: Set<unknown>): string {
  let document = html;
  if (!has.has("body")) {
    const [before, content, after] = aroundBody(document);
    document = `${before}<body>${content}</body>${after}`;
  }
  if (!has.has("head")) {
    document = document.replace(/<body[\s>]/, (body) => `<head></head>${body}`);
  }
  if (!has.has("html")) document = `<html>${document}</html>`;
  const headEnd = document.indexOf("</head>");
  const bodyEnd = document.lastIndexOf("</body>");
  return "<!DOCTYPE html>" + document.slice(0, headEnd) + head +
    document.slice(headEnd, bodyEnd) + tail + document.slice(bodyEnd);
}

/** What comes before, in and after the body of a document that has no `<body>`. */
function aroundBody(document: string): [string, string, string] {
  const start = /^\s*(?:<html(?:\s+[^\s=>]+(?:="[^"]*")?)*>)?(?:<head[\s>].*?<\/head>)?/s
    .exec(document);
  const before = start?.[0] ?? "";
  const after = document.endsWith("</html>") ? "</html>" : "";
  return [before, document.slice(before.length, document.length - after.length), after];
}

function respond(html: string, bundles: string[], basePath: string, init: ResponseInit): Response {
  const headers = new Headers(init.headers);
  headers.set("content-type", "text/html; charset=utf-8");
  for (const url of bundles) {
    headers.append("link", `<${basePath}${url}>; rel="modulepreload"`);
  }
  return new Response(html, { ...init, headers });
}
