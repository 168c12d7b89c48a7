// What is done to vnodes just before they are rendered: islands are framed,
// `<head>` takes in what `<Head>` collected, links to the page itself are marked,
// images are locked to the build, scripts and styles get the nonce.
import { cloneElement, options, type VNode } from "preact";
// Installs its own hooks, which unwrap signals: these have to be there first.
import "@preact/signals";
import { lockImages } from "../runtime/asset.ts";
import { flatten, headKey, MARK } from "../runtime/head.ts";
import { frameIsland } from "./islands.ts";
import { currentRender, type RenderState } from "./render_state.ts";

/** Preact's "before diff" hook goes by its mangled name, which is fixed for all of Preact 10. */
interface BeforeDiff {
  __b?: (vnode: VNode) => void;
}

const hooks: typeof options & BeforeDiff = options;
const outerHook = hooks.__b;
hooks.__b = (vnode) => {
  outerHook?.(vnode);
  const state = currentRender();
  if (state) beforeRender(state, vnode);
};

/**
 * What the author wrote, of vnodes that were changed here. An element that a module keeps in a
 * constant comes by in every rendering, and is to be the author's each time.
 */
const authored = new WeakMap<VNode, Pick<VNode, "type" | "props">>();

const CHANGED_ELEMENTS = new Set<unknown>(["a", "head", "img", "script", "source", "style"]);

function beforeRender(state: RenderState, vnode: VNode): void {
  const { type, props } = authored.get(vnode) ?? vnode;
  const island = typeof type === "function" ? state.request.snapshot?.islands.get(type) : undefined;
  if (island || CHANGED_ELEMENTS.has(type)) {
    authored.set(vnode, { type, props });
    vnode.type = type;
    vnode.props = { ...props };
  }
  if (island) {
    // Inside another island it is a component like any other, since that one runs in the browser.
    if (state.islandDepth === 0) frameIsland(state, island, vnode);
  } else if (typeof type === "string") changeElement(state, type, vnode);
}

function changeElement(state: RenderState, type: string, vnode: VNode): void {
  const props = vnode.props as Record<string, unknown>;
  lockImages(type, props);
  // What an island renders must be what it renders in the browser, too.
  if (state.islandDepth > 0) return;
  if (type === "a") markActive(state.request.pathname, props);
  if (type === "script" || type === "style") props.nonce ??= state.request.nonce;
  if (type === "html" || type === "head" || type === "body") state.has.add(type);
  if (type === "head") vnode.props.children = mergeHead(state, vnode);
}

function markActive(pathname: string, props: Record<string, unknown>): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/") || "aria-current" in props) return;
  const target = withoutTrailingSlash(href.replace(/[?#].*$/s, ""));
  const here = withoutTrailingSlash(pathname);
  if (here === target) {
    props["aria-current"] = "page";
    props["data-current"] = "true";
  } else if (here.startsWith(target === "/" ? "/" : `${target}/`)) {
    props["aria-current"] = "true";
    props["data-ancestor"] = "true";
  }
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, "") || "/" : path;
}

/** The children of `<head>`, those that `<Head>` names replaced, the rest of its elements after them. */
function mergeHead(state: RenderState, head: VNode): VNode[] {
  const own = flatten(head.props.children).map((element) => takeCollected(state, element));
  return [...own, ...remainingHead(state)];
}

function takeCollected(state: RenderState, element: VNode): VNode {
  const key = headKey(element);
  const collected = state.head.get(key);
  state.head.delete(key);
  return collected ? marked(collected) : element;
}

/** The elements of `<Head>` that are not placed yet; they count as placed from here on. */
export function remainingHead(state: RenderState): VNode[] {
  const elements = [...state.head.values()].map(marked);
  state.head.clear();
  return elements;
}

/** `element` with the mark by which `<Head>` finds it again in the browser. */
function marked(element: VNode): VNode {
  if (typeof element.type !== "string" || element.type === "title") return element;
  return cloneElement(element, { [MARK]: headKey(element) });
}
