// The script of a page with islands: finds them in the document and has Preact
// take them over, each in a task of its own.
import {
  type AnyComponent,
  type ComponentChild,
  Fragment,
  h,
  options,
  render,
  type VNode,
} from "preact";
import { lockImages, setBuildId } from "../runtime/asset.ts";
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
import { decodeProps, type Props } from "./decode_props.ts";
import { domToVNodes } from "./dom_to_vnodes.ts";
import { containerOf, findRanges, nodesBetween, type Range } from "./ranges.ts";

type IslandComponent = AnyComponent<Props>;

// The server wrote this block, in `islandScripts`.
const state = JSON.parse(document.getElementById(STATE_ID)!.textContent) as PageState;
setBuildId(state.buildId);
lockImagesOfIslands();
const components = await loadComponents();
const slotContents = new Map<number, ComponentChild[]>();
const islandProps: Props[] = decodeProps(state.props, (id) => h(SlotContent, { id }));
const islands = findRanges(document.body, ISLAND, ISLAND_END);
const insideOthers = readSlots(document.body);
for (const island of islands) {
  if (!insideOthers.has(island)) setTimeout(() => revive(island));
}

/** The same as the server does to images, so that they are not loaded twice. */
function lockImagesOfIslands(): void {
  const outerHook = options.vnode;
  options.vnode = (vnode: VNode) => {
    lockImages(vnode.type, vnode.props as Props);
    outerHook?.(vnode);
  };
}

async function loadComponents(): Promise<Map<string, IslandComponent>> {
  const loaded = new Map<string, IslandComponent>();
  await Promise.all(
    Object.entries(state.islands).map(async ([name, [url, exportName]]) => {
      try {
        loaded.set(name, (await import(url))[exportName]);
      } catch (error) {
        console.error(`Island <${name}> could not be loaded`, error);
      }
    }),
  );
  return loaded;
}

/** The vnode of the island that a marker announces; null when its bundle did not load. */
function islandVNode(marker: string): VNode<Props> | null {
  const [name = "", index = "", key = ""] = marker.slice(ISLAND.length).split(":");
  const component = components.get(name);
  if (!component) return null;
  const props = { ...islandProps[Number(index)], key: decodeURIComponent(key) || undefined };
  const vnode: VNode<Props> = h(component, props);
  setIdNamespace(vnode, islandIdNamespace(Number(index)));
  return vnode;
}

function revive(island: Range): void {
  const vnode = islandVNode(island.marker);
  if (vnode) render(vnode, containerOf(island));
}

/**
 * Reads what the page gave its islands as JSX, from where the server rendered it.
 * @returns the islands in there, which come alive along with those around them
 */
function readSlots(root: Node): Set<Range> {
  const slots = findRanges(root, SLOT, SLOT_END);
  for (const { marker, start, end } of slots) {
    const id = Number(marker.slice(SLOT.length).split(":", 1)[0]);
    slotContents.set(id, domToVNodes(nodesBetween(start, end), islandVNode));
  }
  const inside = islands.filter((island) => slots.some((slot) => isInside(island, slot)));
  // What is left is what the islands will render, so that Preact finds each node in its place.
  for (const { start, end } of [...slots, ...inside]) {
    start.remove();
    end.remove();
  }
  return new Set(inside);
}

function isInside(inner: Range, outer: Range): boolean {
  const FOLLOWING = Node.DOCUMENT_POSITION_FOLLOWING;
  return (outer.start.compareDocumentPosition(inner.start) & FOLLOWING) !== 0 &&
    (inner.end.compareDocumentPosition(outer.end) & FOLLOWING) !== 0;
}

/** What the page gave an island as JSX; if the server did not show it, it is in a template. */
function SlotContent({ id }: { id: number }): VNode {
  if (!slotContents.has(id)) {
    const template = document.getElementById(slotTemplateId(id)) as HTMLTemplateElement | null;
    if (template) readSlots(template.content);
    const nodes = template?.content.childNodes ?? [];
    slotContents.set(id, domToVNodes(nodes, islandVNode));
  }
  return h(Fragment, null, slotContents.get(id));
}
