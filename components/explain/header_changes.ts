/** What becomes of a call's headers on the way to the backend, name by name. */

export interface HeaderChange {
  readonly name: string;
  /** Null: the call has none. */
  readonly before: string | null;
  /** Null: the backend gets none. */
  readonly after: string | null;
}

/** In the order in which they go out, then those that do not. */
export function headerChanges(
  incoming: Readonly<Record<string, string>>,
  outgoing: Readonly<Record<string, string>>,
): HeaderChange[] {
  const before = new Map(
    Object.entries(incoming).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const sent = Object.entries(outgoing).map(([name, after]) => (
    { name, before: before.get(name) ?? null, after }
  ));
  const dropped = [...before].filter(([name]) => !Object.hasOwn(outgoing, name))
    .map(([name, value]) => ({ name, before: value, after: null }));
  return [...sent, ...dropped];
}
