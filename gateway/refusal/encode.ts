/** Values in the four formats of a refusal: whatever they hold, they stay values. */
import type { RefusalFormat } from "./format.ts";
import { escapeMarkup } from "./markup.ts";

/** JSON and CSV bring the quotation marks with them. */
export function encoded(value: string | number | boolean, format: RefusalFormat): string {
  switch (format) {
    case "json":
      return JSON.stringify(value);
    case "csv":
      return csvCell(String(value));
    case "xml":
    case "html":
      return escapeMarkup(String(value));
  }
}

/** RFC 4180 §2 */
function csvCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
