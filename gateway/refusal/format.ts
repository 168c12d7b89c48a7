/**
 * Which of the four formats a refused caller gets: by the path's extension, then
 * `?format=`, then the Accept header (RFC 9110 §12.5.1), else JSON. The order is
 * API Umbrella's.
 */
import { weightedList } from "../exchange/weighted_list.ts";

export const formats = ["json", "xml", "csv", "html"] as const;
export type RefusalFormat = (typeof formats)[number];

export interface FormatChoice {
  readonly format: RefusalFormat;
  readonly contentType: string;
}

const byFormat: Record<RefusalFormat, FormatChoice> = {
  json: { format: "json", contentType: "application/json" },
  xml: { format: "xml", contentType: "application/xml" },
  csv: { format: "csv", contentType: "text/csv" },
  html: { format: "html", contentType: "text/html" },
};

const byName: ReadonlyMap<string, FormatChoice> = new Map(Object.entries(byFormat));

/** In order of preference, which decides what a wildcard means. */
const negotiable: readonly (readonly [string, FormatChoice])[] = [
  ["application/json", byFormat.json],
  ["application/xml", byFormat.xml],
  ["text/xml", { format: "xml", contentType: "text/xml" }],
  ["text/csv", byFormat.csv],
  ["text/html", byFormat.html],
];

/** @param path of the backend, or the caller's if there is none */
export function chooseFormat(
  path: string,
  query: string | null,
  accept: string | null,
): FormatChoice {
  return named(/\.([a-z]+)$/i.exec(path)?.[1]) ?? named(formatArgument(query)) ??
    negotiate(accept) ?? byFormat.json;
}

function named(name: string | undefined): FormatChoice | undefined {
  return name === undefined ? undefined : byName.get(name.toLowerCase());
}

/** The first one; `format[]` and `format[x]` are other names. */
function formatArgument(query: string | null): string | undefined {
  return query?.includes("format=")
    ? new URLSearchParams(query).get("format") ?? undefined
    : undefined;
}

function negotiate(accept: string | null): FormatChoice | undefined {
  if (accept === null) return undefined;
  const ranges = weightedList(accept);
  const refused = ranges.filter(({ quality }) => quality === 0).map(({ name }) => name);
  const wanted = ranges.filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality); // stable: equals stay in the header's order
  for (const { name: range } of wanted) {
    const found = negotiable.find(([type]) => covers(range, type) && !refused.includes(type));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

function covers(range: string, type: string): boolean {
  return range === type || range === "*/*" ||
    (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
}
