/** The example configuration file, written from the schema: every key, explained. */
import { stringify } from "yaml";
import { keyAt, keysWithin } from "./keys.ts";
import { isGroup } from "./merge.ts";
import type { KeyPath } from "./problems.ts";

const LINE_WIDTH = 90; // characters

const head = [
  "Portico's configuration. Every key stands here with its default, so a file needs only the " +
  "keys it changes. Portico reads the file named by --config, else by the environment variable " +
  "PORTICO_CONFIG, else /etc/portico/portico.yml. `portico check-config` says what is in force " +
  "and where it comes from; SIGHUP makes a running server read the file again.",
  "An environment variable overrides a key: PORTICO_HTTP_PORT is http_port, and " +
  "PORTICO_ROUTER__TRUSTED_PROXIES is trusted_proxies under router. Its value is YAML.",
];

/** The file's text; read back, it is the default configuration. */
export function exampleConfiguration(): string {
  const lines = [...head.flatMap((paragraph) => [...comment(paragraph, ""), ""]), ...group([])];
  return `${lines.join("\n")}\n`;
}

/** The keys of a group, apart from one another, indented as deep as they lie. */
function group(path: readonly string[]): string[] {
  const blocks = (keysWithin(path) ?? []).map((name) => entry([...path, name]));
  return blocks.flatMap((block, index) => index === 0 ? block : ["", ...block]);
}

function entry(path: readonly string[]): string[] {
  const key = keyAt(path);
  if (key === undefined) return [];
  const indent = "  ".repeat(path.length - 1);
  const name = path.at(-1) ?? "";
  const explained = comment(key.description, indent);
  if (key.isGroup) return [...explained, `${indent}${name}:`, ...group(path)];
  if (isListOfGroups(key.fallback)) {
    return [...explained, `${indent}${name}:`, ...items(path, key.fallback, `${indent}  `)];
  }
  return [
    ...explained,
    ...example(path, key.notes.example).map((line) => `${indent}# ${line}`),
    `${indent}${name}: ${inline(key.fallback)}`,
  ];
}

/** The key in use, where its default shows nothing. */
function example(path: KeyPath, value: unknown): string[] {
  if (value === undefined) return [];
  if (!isListOfGroups(value)) return [`Example: ${inline(value)}`];
  return ["Example:", `${path.at(-1)}:`, ...items(path, value, "  ")];
}

/** List items with each key of the first one explained. */
function items(path: KeyPath, list: readonly object[], indent: string): string[] {
  return list.flatMap((item, index) =>
    Object.entries(item).flatMap(([name, value], position) => {
      const at = [...path, index, name];
      const inside = `${indent}  `;
      const lead = position === 0 ? `${indent}- ` : inside;
      return [
        ...(index > 0
          ? []
          : comment(keyAt(at)?.description ?? "", position === 0 ? indent : inside)),
        ...(isListOfGroups(value)
          ? [`${lead}${name}:`, ...items(at, value, `${inside}  `)]
          : [`${lead}${name}: ${inline(value)}`]),
      ];
    })
  );
}

function isListOfGroups(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length > 0 && value.every(isGroup);
}

function inline(value: unknown): string {
  return stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false })
    .trimEnd();
}

/** A paragraph as lines of a comment, no wider than the file. */
function comment(text: string, indent: string): string[] {
  return wrapped(text, LINE_WIDTH - indent.length - "# ".length)
    .map((line) => `${indent}# ${line}`);
}

function wrapped(paragraph: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
