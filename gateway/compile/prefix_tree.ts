/**
 * Longest-prefix look-up in one walk along the path: a radix tree over UTF-16
 * code units. Its cost depends on the path's length, not on how many prefixes
 * there are, so thousands of backends cost what one does.
 */

class Node<T> {
  readonly children = new Map<number, Node<T>>();
  value: T | undefined;
  constructor(public label: string) {}
}

export class PrefixTree<T> {
  readonly #root = new Node<T>("");

  /** Adds a value for a prefix. The first value of a prefix stays: earlier ones win ties. */
  add(prefix: string, value: T): void {
    let node = this.#root;
    let rest = prefix;
    while (rest !== "") {
      const child = node.children.get(rest.charCodeAt(0));
      if (child === undefined) {
        const leaf = new Node<T>(rest);
        leaf.value = value;
        node.children.set(rest.charCodeAt(0), leaf);
        return;
      }
      const shared = sharedLength(child.label, rest);
      node = shared === child.label.length ? child : split(node, child, shared);
      rest = rest.slice(shared);
    }
    node.value ??= value;
  }

  /** The value of the longest added prefix that `path` starts with. */
  longest(path: string): T | undefined {
    let node = this.#root;
    let best = node.value;
    let at = 0;
    while (at < path.length) {
      const child = node.children.get(path.charCodeAt(at));
      if (child === undefined || !path.startsWith(child.label, at)) break;
      at += child.label.length;
      node = child;
      if (node.value !== undefined) best = node.value;
    }
    return best;
  }
}

function sharedLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** Puts a node for the shared part between `parent` and `child`. */
function split<T>(parent: Node<T>, child: Node<T>, at: number): Node<T> {
  const middle = new Node<T>(child.label.slice(0, at));
  child.label = child.label.slice(at);
  middle.children.set(child.label.charCodeAt(0), child);
  parent.children.set(middle.label.charCodeAt(0), middle);
  return middle;
}
