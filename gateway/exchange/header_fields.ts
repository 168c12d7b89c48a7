/** Header fields in a list, in the order they go out; names in lower case. */

export type HeaderField = [name: string, value: string];
export type HeaderFields = readonly Readonly<HeaderField>[];

/** The value of the first field of that name; undefined without one. */
export function fieldValue(fields: HeaderFields, wanted: string): string | undefined {
  for (const [name, value] of fields) if (name === wanted) return value;
  return undefined;
}

/** The value of a field, of several their combination (RFC 9110 §5.3); null without one. */
export function combinedValue(fields: HeaderFields, wanted: string): string | null {
  let combined: string | null = null;
  for (const [name, value] of fields) {
    if (name === wanted) combined = combined === null ? value : `${combined}, ${value}`;
  }
  return combined;
}
