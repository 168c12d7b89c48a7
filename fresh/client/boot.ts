// The script of a page with islands: finds them in the document and has Preact
// take them over, each in a task of its own.
import {
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
  type PageState,
  setIdNamespace,
  SLOT,
  SLOT_END,
  slotTemplateId,
  STATE_ID,
} from "../runtime/island_markers.ts";
import { decodeProps, type Props } from "./decode_props.ts";
import { domToVNodes, type IslandComponent } from "./dom_to_vnodes.ts";

/** Two comments around a part of the document. */
interface Range {
  readonly marker: string;
  readonly start: Comment;
  readonly end: Comment;
}

const state = readState();
setBuildId(state.buildId);
lockImagesOfIslands();
const components = await loadComponents();
const slots = new Map(
  findRanges(SLOT, SLOT_END).map((range) => [slotId(range.marker), range]),
);
const slotContents = new Map<number, ComponentChild[]>();
const islandProps: Props[] = decodeProps(
  state.props,
  (id) => h(SlotContent, { id }),
);
for (const range of findRanges(ISLAND, ISLAND_END)) {
  setTimeout(() => revive(range));
}

function readState(): PageState {
  // The server wrote this block, in `islandScripts`.
  return JSON.parse(
    document.getElementById(STATE_ID)?.textContent ?? "",
  ) as PageState;
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

/** The parts of the page between such comments; those inside another such part are left to it. */
function findRanges(startsWith: string, endsWith: string): Range[] {
  const ranges: Range[] = [];
  const open: Comment[] = [];
  const walker = document.createTreeWalker(
    document.body,
    NodeFilter.SHOW_COMMENT,
  );
  while (walker.nextNode()) {
    const comment = walker.currentNode as Comment;
    if (comment.data.startsWith(startsWith)) open.push(comment);
    if (comment.data !== endsWith) continue;
    const start = open.pop();
    if (!start || open.length > 0 && startsWith === ISLAND) continue;
    if (start.parentNode === comment.parentNode) {
      ranges.push({ marker: start.data, start, end: comment });
    } else {
      console.error(
        `Invalid HTML around ${start.data}: the browser moved a part of it elsewhere`,
      );
    }
  }
  return ranges;
}

/** The vnode of the island that a marker announces; null when its bundle did not load. */
function islandVNode(marker: string): VNode | null {
  const [name = "", index = "", key = ""] = marker.slice(ISLAND.length).split(
    ":",
  );
  const component = components.get(name);
  if (!component) return null;
  const vnode = h(component, {
    ...islandProps[Number(index)],
    key: decodeURIComponent(key),
  });
  setIdNamespace(vnode, Number(index));
  return vnode as VNode;
}

function revive({ marker, start, end }: Range): void {
  const vnode = islandVNode(marker);
  if (!vnode) return;
  const nodes = nodesBetween(start, end);
  for (const [id, slot] of slots) {
    if (nodes.some((node) => node.contains(slot.start))) readSlot(id, slot);
  }
  render(vnode, containerBetween(start, end));
}

/** The nodes between two siblings. */
function nodesBetween(start: Node, end: Node): ChildNode[] {
  const nodes: ChildNode[] = [];
  for (
    let node = start.nextSibling;
    node && node !== end;
    node = node.nextSibling
  ) nodes.push(node);
  return nodes;
}

function slotId(marker: string): number {
  return Number(marker.slice(SLOT.length).split(":", 1)[0]);
}

function readSlot(id: number, { start, end }: Range): void {
  slotContents.set(id, domToVNodes(nodesBetween(start, end), islandVNode));
}

/** What the page gave the island as JSX, read from where the server rendered it. */
function SlotContent({ id }: { id: number }): VNode {
  if (!slotContents.has(id)) {
    const template = document.getElementById(slotTemplateId(id));
    const nodes = template instanceof HTMLTemplateElement
      ? [...template.content.childNodes]
      : [];
    slotContents.set(id, domToVNodes(nodes, islandVNode));
  }
  return h(Fragment, null, slotContents.get(id));
}

/**
 * What Preact takes for an element, so that it renders between two siblings. Text nodes take
 * the comments' place, because Preact looks past comments for where a node belongs.
 */
function containerBetween(start: Comment, end: Comment): Element {
  const parent = start.parentElement!;
  const first = document.createTextNode("");
  const last = document.createTextNode("");
  start.replaceWith(first);
  end.replaceWith(last);
  const container = {
    nodeType: Node.ELEMENT_NODE,
    parentNode: parent,
    namespaceURI: parent.namespaceURI,
    ownerDocument: document,
    get childNodes() {
      return nodesBetween(first, last);
    },
    get firstChild() {
      return first.nextSibling === last ? null : first.nextSibling;
    },
    contains: (node: Node) => parent.contains(node),
    insertBefore: (node: Node, before: Node | null) =>
      parent.insertBefore(node, before ?? last),
    appendChild: (node: Node) => parent.insertBefore(node, last),
    removeChild: (node: Node) => parent.removeChild(node),
  };
  // Preact asks a container for no more than this.
  return container as unknown as Element;
}
