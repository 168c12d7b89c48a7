// Islands on the server: rendered in place between comments that say where they
// are, their props sent along with the page.
import { Signal } from "@preact/signals";
import { type ComponentChildren, h, isValidElement, type VNode } from "preact";
import {
  ISLAND,
  ISLAND_END,
  islandIdNamespace,
  type PageState,
  setIdNamespace,
  SLOT,
  SLOT_END,
  slotTemplateId,
  STATE_ID,
} from "../runtime/island_markers.ts";
import { encodeProps } from "./encode_props.ts";
import { rawHtml } from "./raw_html.ts";
import { type RenderState, Slot } from "./render_state.ts";
import type { Island } from "./types.ts";

/** Makes `vnode`, which is about to be rendered, an island of the page. */
export function frameIsland(state: RenderState, island: Island, vnode: VNode): void {
  const props: Record<string, unknown> = {};
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(vnode.props)) {
    props[name] = shown[name] = value;
    const isSlot = name === "children"
      ? holdsElement(value)
      : !Array.isArray(value) && holdsElement(value);
    if (!isSlot) continue;
    const slot = new Slot(state.slots.length, name, value);
    state.slots.push(slot);
    props[name] = slot;
    shown[name] = h(ShownSlot, { state, slot });
  }
  const index = state.islands.push({ island, props }) - 1;
  const inner = h(vnode.type as () => null, shown);
  setIdNamespace(inner, islandIdNamespace(index));
  // The key becomes part of a comment, which no key may end.
  const key = encodeURIComponent(String(vnode.key ?? ""));
  vnode.type = () => [
    comment(`${ISLAND}${island.name}:${index}:${key}`, () => state.islandDepth++),
    inner,
    comment(ISLAND_END, () => state.islandDepth--),
  ];
}

function holdsElement(value: unknown): value is ComponentChildren {
  if (Array.isArray(value)) return value.some(holdsElement);
  // Preact takes a signal for an element, because it can be shown like one.
  return isValidElement(value) && !(value instanceof Signal);
}

function ShownSlot(
  { state, slot }: { state: RenderState; slot: Slot },
): ComponentChildren {
  const depth = state.islandDepth;
  slot.shown = true;
  return [
    comment(`${SLOT}${slot.id}:${slot.prop}`, () => state.islandDepth = 0),
    slot.children,
    comment(SLOT_END, () => state.islandDepth = depth),
  ];
}

interface CommentProps {
  readonly text: string;
  readonly onRender: () => void;
}

/** An HTML comment; `onRender` runs when rendering comes to it. */
function Comment({ text, onRender }: CommentProps): VNode {
  onRender();
  return rawHtml(`<!--${text}-->`);
}

function comment(text: string, onRender: () => void): VNode<CommentProps> {
  return h(Comment, { text, onRender });
}

/** The slots that their islands did not show at first, for when they do. */
export function hiddenSlots(
  state: RenderState,
  render: (slot: ComponentChildren) => string,
): string {
  let html = "";
  // Rendering one may add more, at the end.
  for (const slot of state.slots) {
    if (slot.shown) continue;
    html += `<template id="${slotTemplateId(slot.id)}">${render(slot.children)}</template>`;
  }
  return html;
}

/** The bundles that a page's islands need, the page's script first. */
export function islandBundles(state: RenderState): string[] {
  const { snapshot } = state.request;
  if (!snapshot || state.islands.length === 0) return [];
  const bundles = state.islands.flatMap(({ island }) => [island.url, ...island.preload]);
  return [...new Set([...snapshot.bootScripts, ...bundles])];
}

/** The page's data for the browser and the script that takes it up; nothing without islands. */
export function islandScripts(state: RenderState, basePath: string): string {
  const { snapshot } = state.request;
  if (!snapshot || state.islands.length === 0) return "";
  const pageState: PageState = {
    buildId: snapshot.buildId,
    islands: Object.fromEntries(
      state.islands.map(({ island: { name, url, exportName } }) => [
        name,
        [basePath + url, exportName],
      ]),
    ),
    props: encodeProps(state.islands),
  };
  // No `<` in the data: nothing in it can end the block.
  const json = JSON.stringify(pageState).replaceAll("<", "\\u003c");
  return `<script type="application/json" id="${STATE_ID}">${json}</script>` +
    moduleScript(state, basePath, snapshot.bootScripts[0]);
}

/** In development, the script that reloads the page after a change. */
export function reloadScript(state: RenderState, basePath: string): string {
  return moduleScript(state, basePath, state.request.snapshot?.reloadScript);
}

function moduleScript(state: RenderState, basePath: string, url?: string | null): string {
  if (!url) return "";
  return `<script type="module" src="${basePath}${url}" nonce="${state.request.nonce}"></script>`;
}
