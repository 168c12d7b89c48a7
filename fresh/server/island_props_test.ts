import assert from "node:assert/strict";
import { computed, Signal, signal } from "@preact/signals";
import { decodeProps, type Props } from "../client/decode_props.ts";
import { encodeProps } from "./encode_props.ts";

/** What the browser gets of the props of these islands. */
function inBrowser(...islands: Props[]): Props[] {
  const text = encodeProps(islands.map((props) => ({
    island: { name: "Chart", exportName: "default", url: "", preload: [] },
    props,
  })));
  return decodeProps(text, (slot) => `slot ${slot}`);
}

Deno.test("data arrives in the browser as it was", () => {
  const values: Props = {
    text: 'quote " and </script> and 日本',
    number: 1.5,
    negativeZero: -0,
    notANumber: NaN,
    infinities: [Infinity, -Infinity],
    yes: true,
    no: false,
    nothing: null,
    missing: undefined,
    big: 2n ** 70n,
    list: [1, [2, []]],
    // deno-lint-ignore no-sparse-arrays -- it is one that is tested
    sparse: [1, , 3],
    object: { a: { b: "c" }, "": 0 },
    date: new Date(86_400_000),
    noDate: new Date(NaN),
    url: new URL("https://api.example/v1?a=b#c"),
    map: new Map<unknown, unknown>([["key", 1], [{ k: 1 }, [2]]]),
    set: new Set(["a", "b"]),
    bytes: new Uint8Array([0, 127, 255]),
  };
  const [received] = inBrowser(values);
  assert.deepEqual(received, values);
  assert.ok(Object.is(received!.negativeZero, -0));
});

Deno.test("a key that names the prototype stays a key", () => {
  const [received] = inBrowser({ data: JSON.parse('{"__proto__":{"isAdmin":true}}') });
  const data = received!.data as Record<string, unknown>;
  assert.equal(data.isAdmin, undefined);
  assert.ok(Object.hasOwn(data, "__proto__"));
});

Deno.test("what is one object on the server is one in the browser, in a circle too", () => {
  const shared = { n: 1 };
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const [first, second] = inBrowser({ shared, again: shared, circle }, { shared });
  assert.equal(first!.shared, first!.again);
  assert.equal(first!.shared, second!.shared);
  const received = first!.circle as Record<string, unknown>;
  assert.equal(received.self, received);
});

Deno.test("a signal in two islands is one signal", () => {
  const count = signal(1);
  const [first, second] = inBrowser({ count }, { other: count });
  const received = first!.count as Signal<number>;
  assert.equal(received, second!.other);
  assert.equal(received.value, 1);
  received.value = 2;
  assert.equal((second!.other as Signal<number>).value, 2);
});

Deno.test("a computed signal becomes a constant one", () => {
  const [received] = inBrowser({ sum: computed(() => 1 + 1) });
  const sum = received!.sum;
  assert.ok(sum instanceof Signal);
  assert.equal(sum.value, 2);
});

class Account {}

Deno.test("what cannot be sent is refused, with the island, the prop and the place in it", () => {
  const refused: [Props, RegExp][] = [
    [{ onPick: () => {} }, /^Island <Chart>\.onPick: a function cannot be sent/],
    [{ list: [{ when: Symbol() }] }, /^Island <Chart>\.list\[0\]\.when: a symbol/],
    [{ account: new Account() }, /^Island <Chart>\.account: an instance of Account/],
    [{ later: Promise.resolve() }, /^Island <Chart>\.later: a promise/],
    [{ state: signal({ f() {} }) }, /^Island <Chart>\.state\.value\.f: a function/],
    [{ map: new Map([["k", () => {}]]) }, /^Island <Chart>\.map\.get\(k\): a function/],
    [{ request: new Request("http://site.example") }, /an instance of Request/],
  ];
  for (const [props, message] of refused) {
    assert.throws(() => inBrowser(props), { name: "TypeError", message });
  }
});
