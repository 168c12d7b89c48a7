// Reads what `server/encode_props.ts` wrote: the props of all islands of a page.
import { computed, signal } from "@preact/signals";
import type { ComponentChild } from "preact";
import { CONSTANTS, HOLE } from "../runtime/props_format.ts";

export type Props = Record<string, unknown>;

/**
 * The props of each island, in the order of the islands. What stood in several places is one
 * value here.
 * @param readSlot gives the JSX that a slot stands for
 */
export function decodeProps(text: string, readSlot: (slot: number) => ComponentChild): Props[] {
  // The server wrote this text, with `encodeProps`.
  const [roots, table] = JSON.parse(text) as [number[], unknown[]];
  const decoder = new Decoder(table, readSlot);
  return roots.map((index) => decoder.value(index) as Props);
}

class Decoder {
  readonly #table: readonly unknown[];
  readonly #readSlot: (slot: number) => ComponentChild;
  readonly #values = new Map<number, unknown>();

  constructor(table: readonly unknown[], readSlot: (slot: number) => ComponentChild) {
    this.#table = table;
    this.#readSlot = readSlot;
  }

  value(index: number): unknown {
    if (index < 0) return CONSTANTS[-1 - index];
    if (this.#values.has(index)) return this.#values.get(index);
    const entry = this.#table[index];
    if (typeof entry !== "object" || entry === null) return entry;
    if (!Array.isArray(entry)) return this.#object(index, entry as Record<string, number>);
    const [kind, ...rest] = entry;
    return typeof kind === "string" ? this.#special(index, kind, rest) : this.#array(index, entry);
  }

  /** Keeps a value before what is inside it is read: it may contain itself. */
  #keep<T>(index: number, value: T): T {
    this.#values.set(index, value);
    return value;
  }

  #array(index: number, items: readonly number[]): unknown[] {
    const array = this.#keep(index, new Array<unknown>(items.length));
    items.forEach((item, i) => {
      if (item !== HOLE) array[i] = this.value(item);
    });
    return array;
  }

  #object(index: number, entry: Record<string, number>): object {
    const object = this.#keep(index, {});
    for (const [key, item] of Object.entries(entry)) {
      // Defined rather than assigned: a key `__proto__` stays a key.
      Object.defineProperty(object, key, {
        value: this.value(item),
        configurable: true,
        enumerable: true,
        writable: true,
      });
    }
    return object;
  }

  #special(index: number, kind: string, rest: readonly unknown[]): unknown {
    const [first] = rest;
    const inner = (item: unknown) => this.value(Number(item));
    switch (kind) {
      case "bigint":
        return BigInt(String(first));
      case "date":
        return this.#keep(index, new Date(Number(first ?? NaN)));
      case "url":
        return this.#keep(index, new URL(String(first)));
      case "bytes":
        return this.#keep(
          index,
          Uint8Array.from(atob(String(first)), (char) => char.charCodeAt(0)),
        );
      case "set": {
        const set = this.#keep(index, new Set());
        for (const item of rest) set.add(inner(item));
        return set;
      }
      case "map": {
        const map = this.#keep(index, new Map());
        for (let i = 0; i < rest.length; i += 2) {
          map.set(inner(rest[i]), inner(rest[i + 1]));
        }
        return map;
      }
      case "signal": {
        const kept = this.#keep(index, signal<unknown>(undefined));
        kept.value = inner(first);
        return kept;
      }
      case "computed":
        return this.#keep(index, computed(() => inner(first)));
      case "slot":
        return this.#keep(index, this.#readSlot(Number(first)));
      default:
        throw new TypeError(`Unknown kind of island prop: ${kind}`);
    }
  }
}
