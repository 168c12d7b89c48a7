/** The values of a backend's fields in words, where a change to one is told. */
import { choiceLabel } from "./field_choices.ts";
import { durationWords } from "@/gateway/limit/policies.ts";

/** `text` is a value as `gateway/publish/` tells it. */
export function fieldValue(path: string, text: string): string {
  const name = path.replaceAll(/\[\d+\]/g, "");
  if (name === "settings.rate_limits.response_headers") return text === "true" ? "yes" : "no";
  if (name === "settings.rate_limits.duration") return durationWords(Number(text));
  if (name === "backend_tls.ca") return certificateWords(text);
  if (name.endsWith("_seconds")) return `${text} s`;
  if (name.endsWith("_bytes")) return `${text} bytes`;
  return choiceLabel(name, text) ?? text;
}

/** How many certificates there are, and by what the last one can be told from another. */
function certificateWords(pem: string): string {
  const ends = [...pem.matchAll(/([^\s-]{1,12})\s*-----END CERTIFICATE-----/g)];
  const count = ends.length === 1 ? "1 certificate" : `${ends.length} certificates`;
  return `${count}, ending in ${ends.at(-1)?.[1] ?? ""}`;
}
