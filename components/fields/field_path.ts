/** Where fields are in a record: `settings.headers[0].key`. */

/** The path of a field whose table stands at `path`; "" is the record itself. */
export function fieldPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Whether the field at `path` is the one at `parent`, or in it. */
export function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`);
}
