// The props of a page's islands as text: one table for the whole page, in which
// every value stands once. So what was one object, or one signal, on the server
// is one in the browser, across islands too. `client/decode_props.ts` reads it.
import { Signal } from "@preact/signals";
import { CONSTANTS, HOLE } from "../runtime/props_format.ts";
import { type IslandInstance, Slot } from "./render_state.ts";

/**
 * Encodes the props of all islands of a page.
 * @throws TypeError that names island and prop, for a value the browser cannot be given
 */
export function encodeProps(islands: readonly IslandInstance[]): string {
  const encoder = new Encoder();
  const roots = islands.map(({ island, props }) =>
    encoder.add(props, (detail) => `Island <${island.name}>${detail}`)
  );
  return JSON.stringify([roots, encoder.table]);
}

/** Tells where a value stands, for an error: given the rest of the way to it. */
type Place = (detail: string) => string;

class Encoder {
  /** By index: JSON for what JSON has, `[number…]` for an array, `[kind, …]` for the rest. */
  readonly table: unknown[] = [];
  readonly #known = new Map<unknown, number>();

  /** The index of a value in the table, or the negative number of a constant. */
  add(value: unknown, place: Place): number {
    const constant = CONSTANTS.findIndex((item) => Object.is(item, value));
    if (constant >= 0) return -1 - constant;
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    // The index is taken before what is inside gets its own: a value may contain itself.
    const index = this.table.push(null) - 1;
    this.#known.set(value, index);
    this.table[index] = this.#entry(value, place);
    return index;
  }

  #entry(value: unknown, place: Place): unknown {
    switch (typeof value) {
      case "bigint":
        return ["bigint", String(value)];
      case "function":
        throw refused("a function", place);
      case "symbol":
        throw refused("a symbol", place);
      case "object":
        return value === null ? null : this.#object(value, place);
      default:
        return value;
    }
  }

  #object(value: object, place: Place): unknown {
    const add = (item: unknown, detail: string) => this.add(item, (rest) => place(detail + rest));
    if (Array.isArray(value)) {
      return Array.from(value, (item, i) => i in value ? add(item, `[${i}]`) : HOLE);
    }
    if (value instanceof Signal) {
      return [isComputed(value) ? "computed" : "signal", add(value.peek(), ".value")];
    }
    if (value instanceof Slot) return ["slot", value.id];
    if (value instanceof Date) return ["date", value.getTime()];
    if (value instanceof URL) return ["url", value.href];
    if (value instanceof Uint8Array) return ["bytes", value.toBase64()];
    if (value instanceof Set) return ["set", ...Array.from(value, (item) => add(item, ".(item)"))];
    if (value instanceof Map) {
      const entries = Array.from(value, ([k, v]) => [add(k, ".(key)"), add(v, `.get(${k})`)]);
      return ["map", ...entries.flat()];
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw refused(nameOf(value), place);
    // JSX deeper than a prop itself: a vnode is a plain object, too, but not data.
    if ("__v" in value && "type" in value && "props" in value) {
      throw refused("JSX inside other data", place);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, add(item, `.${key}`)]),
    );
  }
}

/** A computed signal has a value that nobody can set. */
function isComputed(signal: Signal): boolean {
  const property = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(signal), "value");
  return property?.set === undefined;
}

function nameOf(value: object): string {
  if (value instanceof Promise) return "a promise";
  return `an instance of ${value.constructor?.name || "a class"}`;
}

function refused(what: string, place: Place): TypeError {
  return new TypeError(
    `${place("")}: ${what} cannot be sent to the browser. ` +
      "Props of islands are data: text, numbers, lists, plain objects, dates, URLs, maps, sets, bytes, signals and JSX",
  );
}
