/**
 * Which of the four formats a refused caller gets: by the path's extension, then
 * `?format=`, then the Accept header (RFC 9110 §12.5.1), else JSON. The order is
 * API Umbrella's.
 */
export type RefusalFormat = "json" | "xml" | "csv" | "html";

export interface FormatChoice {
  readonly format: RefusalFormat;
  readonly contentType: string;
}

const byName: Record<RefusalFormat, FormatChoice> = {
  json: { format: "json", contentType: "application/json" },
  xml: { format: "xml", contentType: "application/xml" },
  csv: { format: "csv", contentType: "text/csv" },
  html: { format: "html", contentType: "text/html" },
};

/** In order of preference, which decides what a wildcard means. */
const negotiable: readonly (readonly [string, FormatChoice])[] = [
  ["application/json", byName.json],
  ["application/xml", byName.xml],
  ["text/xml", { format: "xml", contentType: "text/xml" }],
  ["text/csv", byName.csv],
  ["text/html", byName.html],
];

export function chooseFormat(
  path: string,
  query: string | null,
  accept: string | null,
): FormatChoice {
  return named(/\.([a-z]+)$/i.exec(path)?.[1]) ?? named(formatArgument(query)) ??
    negotiate(accept) ?? byName.json;
}

function named(name: string | undefined): FormatChoice | undefined {
  const lower = name?.toLowerCase();
  return lower !== undefined && Object.hasOwn(byName, lower)
    ? byName[lower as RefusalFormat]
    : undefined;
}

function formatArgument(query: string | null): string | undefined {
  return query?.includes("format=")
    ? new URLSearchParams(query).get("format") ?? undefined
    : undefined;
}

interface Preference {
  readonly type: string;
  readonly quality: number;
}

function negotiate(accept: string | null): FormatChoice | undefined {
  if (accept === null) return undefined;
  const preferences = accept.split(",").map(readPreference)
    .filter((preference) => preference.quality > 0)
    .sort((a, b) => b.quality - a.quality); // stable: equals stay in the header's order
  for (const { type } of preferences) {
    const found = negotiable.find(([name]) => covers(type, name));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

function readPreference(item: string): Preference {
  const [type = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return { type, quality: Number.isFinite(value) ? value : 0 };
}

function covers(range: string, type: string): boolean {
  return range === type || range === "*/*" ||
    (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
}
