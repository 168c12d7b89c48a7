/** What the text of a form's field stands for. */

/** The items of a field that holds one a line; `commas`: they part items as well. */
export function lineItems(text: string, commas = true): string[] {
  return text.split(commas ? /[\r\n,]+/ : /[\r\n]+/).map((item) => item.trim()).filter((item) =>
    item !== ""
  );
}

/** Null for an empty field, else what `read` makes of it. */
export function inheritable(text: string, read: (text: string) => unknown = (it) => it): unknown {
  return text.trim() === "" ? null : read(text);
}

/** The number in `text`, undefined where that is empty; else the text, for the schema to refuse. */
export function numeric(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}
