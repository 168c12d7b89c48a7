// Parts of the document between two comments: where islands and slots are.

export interface Range {
  /** What the first comment says. */
  readonly marker: string;
  readonly start: Comment;
  readonly end: Comment;
}

/** The parts of `root` between such comments, those inside another such part included. */
export function findRanges(root: Node, startsWith: string, endsWith: string): Range[] {
  const ranges: Range[] = [];
  const open: Comment[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    const comment = walker.currentNode as Comment;
    if (comment.data.startsWith(startsWith)) open.push(comment);
    if (comment.data !== endsWith) continue;
    const start = open.pop();
    if (start && start.parentNode === comment.parentNode) {
      ranges.push({ marker: start.data, start, end: comment });
    } else {
      console.error(`The browser moved a part of ${start?.data}: its HTML is not valid there`);
    }
  }
  return ranges;
}

/** The nodes between two siblings. */
export function nodesBetween(start: Node, end: Node): ChildNode[] {
  const nodes: ChildNode[] = [];
  for (let node = start.nextSibling; node && node !== end; node = node.nextSibling) {
    nodes.push(node);
  }
  return nodes;
}

/**
 * What Preact takes for an element, so that it renders into a range. Text nodes take the
 * comments' place, because Preact looks past comments for where a node belongs.
 */
export function containerOf({ start, end }: Range): Element {
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
    insertBefore: (node: Node, before: Node | null) => parent.insertBefore(node, before ?? last),
    appendChild: (node: Node) => parent.insertBefore(node, last),
    removeChild: (node: Node) => parent.removeChild(node),
  };
  // Preact asks a container for no more than this.
  return container as unknown as Element;
}
