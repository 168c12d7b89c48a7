/**
 * The fields of a form as the nested record that their names spell:
 * `servers[0].host=a` becomes `{ servers: [{ host: "a" }] }`. What somebody sends
 * decides names alone: no name reaches a prototype, and no index costs room.
 */

export type FieldNode = string | readonly FieldNode[] | FieldTree;

export interface FieldTree {
  readonly [name: string]: FieldNode;
}

/** A record while it grows. Keys of a `Map` mean nothing but themselves. */
type Growing = Map<string | number, string | Growing>;

const NAME = /^\w+/;
const STEP = /\.(\w+)|\[(\d{1,9})\]/y;
/** No record is deeper; a name that is would only be there to do harm. */
const DEPTH_MAX = 8;

/**
 * Names that spell no path are left out; of two fields that claim the same place
 * the later one has it. Lists close up: the items `[2]` and `[9]` alone are a list
 * of two.
 */
export function nestedFields(entries: Iterable<readonly [string, unknown]>): FieldTree {
  const root: Growing = new Map();
  for (const [name, value] of entries) {
    const path = typeof value === "string" ? fieldSteps(name) : null;
    if (path !== null && typeof value === "string") place(root, path, value);
  }
  return record(root);
}

/** `servers[0].host` as `["servers", 0, "host"]`; null when it is no such path. */
export function fieldSteps(name: string): (string | number)[] | null {
  const [first] = NAME.exec(name) ?? [];
  if (first === undefined) return null;
  const path: (string | number)[] = [first];
  STEP.lastIndex = first.length;
  while (STEP.lastIndex < name.length) {
    const step = STEP.exec(name);
    if (step === null || path.length === DEPTH_MAX) return null;
    path.push(step[1] ?? Number(step[2]));
  }
  return path;
}

function place(root: Growing, path: readonly (string | number)[], value: string): void {
  let at = root;
  for (const [depth, step] of path.entries()) {
    if (depth === path.length - 1) {
      at.set(step, value);
      return;
    }
    const child = at.get(step);
    // A list and a record in one place cannot both be meant: the later one has it.
    const kept = child instanceof Map && isList(child) === (typeof path[depth + 1] === "number");
    const next: Growing = kept ? child : new Map();
    if (!kept) at.set(step, next);
    at = next;
  }
}

function isList(growing: Growing): boolean {
  const [first] = growing.keys();
  return typeof first === "number";
}

function finished(value: string | Growing): FieldNode {
  if (typeof value === "string") return value;
  if (!isList(value)) return record(value);
  return [...value].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, item]) => finished(item));
}

function record(growing: Growing): FieldTree {
  // Defines its properties, whatever their names, and so touches no prototype.
  return Object.fromEntries([...growing].map(([name, value]) => [name, finished(value)]));
}

/** The text at a name, or `fallback`. */
export function textAt(tree: FieldTree, name: string, fallback = ""): string {
  const node = Object.hasOwn(tree, name) ? tree[name] : undefined;
  return typeof node === "string" ? node : fallback;
}

/** The record at a name, or an empty one. */
export function treeAt(tree: FieldTree, name: string): FieldTree {
  const node = Object.hasOwn(tree, name) ? tree[name] : undefined;
  return isTree(node) ? node : {};
}

/** The list of records at a name, or an empty one; items that are no records are left out. */
export function treesAt(tree: FieldTree, name: string): readonly FieldTree[] {
  const node = Object.hasOwn(tree, name) ? tree[name] : undefined;
  return Array.isArray(node) ? node.filter(isTree) : [];
}

/** The list of texts at a name, or an empty one. */
export function textsAt(tree: FieldTree, name: string): readonly string[] {
  const node = Object.hasOwn(tree, name) ? tree[name] : undefined;
  return Array.isArray(node) ? node.filter((item) => typeof item === "string") : [];
}

function isTree(node: FieldNode | undefined): node is FieldTree {
  return typeof node === "object" && !Array.isArray(node);
}
