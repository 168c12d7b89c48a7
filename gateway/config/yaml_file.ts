/**
 * A YAML file as plain values that still know the line and column they stand at.
 * Only finds fault with the YAML itself; what the keys mean is not known here.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import type { Document, YAMLError } from "yaml";
import type { KeyPath, Problem } from "./problems.ts";

export interface YamlFile {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /**
   * `file:line:column` of what stands at `path`: of the key's name or of its value.
   * Where there is nothing, the place of what ought to hold it.
   */
  place(path: KeyPath, part: "key" | "value"): string;
}

/** Reads YAML; `name` is what the places call the file. Never throws. */
export function parseYaml(name: string, source: string): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
  const problems = [...document.errors, ...document.warnings].map((error): Problem => ({
    place: placeOf(error.pos[0]),
    key: error.code === "DUPLICATE_KEY" ? nameAt(source, error.pos[0]) : "",
    message: yamlMessage(error),
  }));
  for (const offset of oddKeys(document)) {
    problems.push({ place: placeOf(offset), key: "", message: "must have plain text as its key" });
  }
  const place: YamlFile["place"] = (path, part) => placeOf(offsetOf(document, path, part));
  if (problems.length > 0) return { value: undefined, problems, place };
  try {
    return { value: document.toJS(), problems, place };
  } catch {
    // The parser gives up on aliases that multiply without end.
    const problem = { place: placeOf(0), key: "", message: "repeats itself too often by aliases" };
    return { value: undefined, problems: [problem], place };
  }
}

/** Where keys begin that are lists, groups or aliases, which YAML allows. */
function oddKeys(document: Document): number[] {
  const offsets: number[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key)) offsets.push(startOf(key) ?? 0);
    },
  });
  return offsets;
}

/** The parser's words without what it quotes: that may be a piece of a secret. */
function yamlMessage(error: YAMLError): string {
  if (error.code === "DUPLICATE_KEY") return "is set twice in the same group";
  const words = error.message.split(/: |, but found|sequence \\/)[0] ?? "";
  return `is not valid YAML: ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** The name of the key that begins at `offset`. */
function nameAt(source: string, offset: number): string {
  return /^["']?([^\s"':,{}]+)/.exec(source.slice(offset))?.[1] ?? "";
}

function offsetOf(document: Document, path: KeyPath, part: "key" | "value"): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  path.forEach((step, index) => {
    const { name, value } = childOf(isAlias(node) ? node.resolve(document) : node, step);
    const wanted = part === "key" && index === path.length - 1 ? name : value;
    offset = startOf(wanted) ?? startOf(name) ?? offset;
    node = value;
  });
  return offset;
}

/** The nodes of a key's name and value, or of a list's item twice. */
function childOf(node: unknown, step: string | number): { name?: unknown; value?: unknown } {
  if (isSeq(node)) return { name: node.items[Number(step)], value: node.items[Number(step)] };
  if (!isMap(node)) return {};
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
  return { name: pair?.key, value: pair?.value };
}

function startOf(node: unknown): number | undefined {
  const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
  return range?.[0];
}
