// Reads server-rendered HTML back as vnodes, so that an island can show what it
// was given as JSX: the nodes that are there are taken over, not made anew.
import { type ComponentChild, h } from "preact";
import { ISLAND, ISLAND_END } from "../runtime/island_markers.ts";

/** Gives the vnode of the island that a marker announces, or null if it cannot be had. */
export type IslandReader = (marker: string) => ComponentChild;

/** The vnodes of `nodes`, an island inside them being that island again. */
export function domToVNodes(nodes: Iterable<Node>, readIsland: IslandReader): ComponentChild[] {
  const children: ComponentChild[] = [];
  let islandDepth = 0;
  for (const node of nodes) {
    if (node instanceof Comment) {
      if (node.data.startsWith(ISLAND) && islandDepth++ === 0) children.push(readIsland(node.data));
      if (node.data === ISLAND_END) islandDepth--;
    } else if (islandDepth === 0) {
      if (node instanceof Text) children.push(node.data);
      else if (node instanceof Element) children.push(elementToVNode(node, readIsland));
    }
  }
  return children;
}

function elementToVNode(element: Element, readIsland: IslandReader): ComponentChild {
  const props: Record<string, unknown> = {};
  for (const { name, value } of element.attributes) {
    // Preact sets what exists as a property, and there `disabled=""` would mean false.
    const property: unknown = Reflect.get(element, name);
    props[name] = typeof property === "boolean" ? property : value;
  }
  // The nodes of a template are in its content, which Preact does not manage.
  if (element instanceof HTMLTemplateElement) {
    return h("template", { ...props, dangerouslySetInnerHTML: { __html: element.innerHTML } });
  }
  return h(element.localName, props, domToVNodes([...element.childNodes], readIsland));
}
