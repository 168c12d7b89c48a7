// The comments that say where islands and slots are in the HTML. They are not
// elements, so stylesheets see the same tree with and without them. The server
// writes them, the browser finds them.

export const ISLAND = "frsh:island:";
export const SLOT = "frsh:slot:";
export const ISLAND_END = "/frsh:island";
export const SLOT_END = "/frsh:slot";

/** The id of the `<template>` with the content of a slot that the island did not show at first. */
export function slotTemplateId(slot: number): string {
  return `frsh-slot-${slot}`;
}

/** The id of the data block that `PageState` is in. */
export const STATE_ID = "frsh-state";

/** What the browser is told of a page. */
export interface PageState {
  readonly buildId: string;
  /** By island name: the URL of its bundle and the name of the export. */
  readonly islands: Record<string, readonly [url: string, exportName: string]>;
  /** The props of all islands of the page, in one piece, as `encodeProps` made it. */
  readonly props: string;
}

/**
 * Names the ids that `useId` makes below a vnode. Each separate rendering counts from the same
 * start, so that without a name of their own, two islands of a page would share ids. Preact
 * keeps it in a field of the vnode whose name is fixed by its mangling table.
 */
export function setIdNamespace(vnode: object, name: string): void {
  Object.assign(vnode, { __m: [name, 0] });
}

/** The name for the ids of an island, the same on the server and in the browser. */
export function islandIdNamespace(island: number): string {
  return `i${island}`;
}
