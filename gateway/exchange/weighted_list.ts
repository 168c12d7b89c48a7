/** Lists of what a client likes, with weights: `gzip, br;q=0.5` (RFC 9110 §12.4.2). */

export interface Weighted {
  /** In lower case, without parameters. */
  readonly name: string;
  /** From 0, which means "not this", to 1. */
  readonly quality: number;
}

/** The items in the header's order; a weight that is no number counts as 0. */
export function weightedList(header: string): Weighted[] {
  return header.split(",").map(readItem).filter(({ name }) => name !== "");
}

function readItem(item: string): Weighted {
  const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { name, quality: Number.isFinite(quality) ? quality : 0 };
}
