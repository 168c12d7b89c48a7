// `<Head>`: what a page or an island wants in the document's `<head>`. The server
// collects it while it renders; in the browser it is applied to the document.
import { type ComponentChildren, Fragment, isValidElement, toChildArray, type VNode } from "preact";
import { useEffect } from "preact/hooks";

export interface HeadProps {
  children?: ComponentChildren;
}

let collect: ((element: VNode) => void) | null = null;

/** Has `<Head>` hand its elements to `collector` instead of to a document. */
export function setHeadCollector(collector: ((element: VNode) => void) | null): void {
  collect = collector;
}

/**
 * Puts its children into `<head>`. `<title>` replaces the one that is there; others replace
 * the one with the same `key`, or else with the same attributes (`content` of a meta and `href`
 * of a link aside).
 */
export function Head({ children }: HeadProps): null {
  const elements = flatten(children);
  if (collect) elements.forEach(collect);
  useEffect(() => elements.forEach(applyToDocument));
  return null;
}

/** The elements in `children`, those in fragments included. */
export function flatten(children: ComponentChildren): VNode[] {
  return toChildArray(children).filter((child) => isValidElement(child))
    .flatMap((child) => child.type === Fragment ? flatten(child.props.children) : [child]);
}

/** Elements with the same key take each other's place. */
export function headKey(element: VNode): string {
  if (element.type === "title") return "title";
  if (element.key != null) return `key ${element.key}`;
  const ignored = element.type === "link" ? "href" : "content";
  const attributes = Object.entries(element.props)
    .filter(([name]) => name !== ignored && name !== "dangerouslySetInnerHTML")
    .map(([name, value]) => `${name}=${value}`);
  return [String(element.type), ...attributes.toSorted()].join(" ");
}

function applyToDocument(element: VNode): void {
  const { children, ...attributes } = element.props as Record<string, unknown>;
  if (element.type === "title") {
    document.title = toChildArray(children as ComponentChildren).join("");
    return;
  }
  if (typeof element.type !== "string") return;
  const key = headKey(element);
  const known = [...document.head.children].find((node) => node.getAttribute(MARK) === key);
  const node = known ?? document.createElement(element.type);
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, String(value));
  }
  node.setAttribute(MARK, key);
  if (!known) document.head.append(node);
}

/** Tells the elements that `<Head>` put there, on the server or in the browser. */
export const MARK = "data-frsh-head";
