import assert from "node:assert/strict";
import fc from "fast-check";
import { newCacheMemory } from "./memory.ts";
import { type Asked, CachedBackend, type Given, type Got } from "./testing.ts";

/** How the backend answers one URL. */
interface Resource {
  readonly lifetime: number;
  /** Fields that it varies by. */
  readonly vary: readonly string[];
  readonly hasTag: boolean;
  readonly inPieces: boolean;
  /** Characters of padding, so that not all fits into the cache. */
  readonly padding: number;
}

interface Request {
  readonly resource: number;
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Step =
  | { readonly kind: "call"; readonly requests: readonly Request[] }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "change"; readonly resource: number; readonly isTold: boolean };

/** What an answer's body says it is. */
interface Said {
  readonly host: string;
  readonly resource: number;
  readonly version: number;
  readonly of: Readonly<Record<string, string | null>>;
}

const HOSTS = ["http://a.example", "https://a.example"];
const RESOURCES = 3;

const resource: fc.Arbitrary<Resource> = fc.record({
  lifetime: fc.constantFrom(0, 5, 20, 60),
  vary: fc.subarray(["accept", "x-version"]),
  hasTag: fc.boolean(),
  inPieces: fc.boolean(),
  padding: fc.constantFrom(0, 1000, 100_000),
});

/** One of these, or nothing; `weight` times as often nothing. */
const mayBe = (weight: number, ...values: string[]) =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, fc.constantFrom(...values));

const fields = fc.record({
  accept: mayBe(1, "a", "b"),
  "x-version": mayBe(1, "1", "2"),
  cookie: mayBe(9, "session=1", "session=2"),
  authorization: mayBe(9, "Bearer 1", "Bearer 2"),
}).map((fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => value === null ? [] : [[name, value]]),
  )
);

const request: fc.Arbitrary<Request> = fc.record({
  resource: fc.nat(RESOURCES - 1),
  host: fc.constantFrom(...HOSTS),
  headers: fields,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      requests: fc.array(request, { minLength: 1, maxLength: 6 }),
    }),
  },
  fc.record({ kind: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 15 }) }),
  fc.record({
    kind: fc.constant("change" as const),
    resource: fc.nat(RESOURCES - 1),
    isTold: fc.boolean(),
  }),
);

/** A backend whose answers are a function of what is asked for, and of versions that change. */
class Model {
  readonly backend: CachedBackend;
  /** Of each resource: its versions and when each began. */
  readonly #versions: number[][];
  /** The first version that may still be given. */
  readonly #least: number[];

  constructor(readonly resources: readonly Resource[]) {
    const memory = newCacheMemory(2 ** 20);
    this.backend = new CachedBackend((asked) => this.#answer(asked), {
      memory,
      entryMaxBytes: 2 ** 18,
    });
    this.#versions = resources.map(() => [this.backend.now]);
    this.#least = resources.map(() => 0);
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case "wait":
        this.backend.now += step.seconds * 1000;
        break;
      case "change":
        this.#change(step.resource, step.isTold);
        break;
      case "call": {
        const answers = step.requests.map(({ resource, host, headers }) =>
          this.backend.call(`${host}/${resource}`, headers)
        );
        for (const [index, answer] of (await Promise.all(answers)).entries()) {
          this.#check(step.requests[index]!, answer); // one answer for each
        }
      }
    }
  }

  /** `isTold`: by an unsafe method through the cache. */
  #change(resource: number, isTold: boolean): void {
    const versions = this.#versions[resource]!; // there is one for each resource
    versions.push(this.backend.now);
    if (!isTold) return;
    this.#least[resource] = versions.length - 1;
    for (const host of HOSTS) {
      const { key = "" } = this.backend.request(`${host}/${resource}`, {}) ?? {};
      this.backend.cache.invalidate(key);
    }
  }

  #answer({ url, headers }: Asked): Given {
    const [, host = "", number = ""] = /^(.*)\/(\d)$/.exec(url) ?? [];
    const resource = Number(number);
    const { lifetime, vary, hasTag, inPieces, padding } = this.resources[resource]!;
    const version = this.#versions[resource]!.length - 1;
    const value = (wanted: string) => headers.find(([name]) => name === wanted)?.[1] ?? null;
    const names = [...vary, "cookie", "authorization"];
    const of = Object.fromEntries(names.map((name) => [name, value(name)]));
    const said: Said = { host, resource, version, of };
    const tag = JSON.stringify(JSON.stringify(said).replaceAll('"', "'"));
    const stated = [
      ["cache-control", `max-age=${lifetime}`],
      ["vary", vary.join(", ")],
      ...hasTag ? [["etag", tag]] as const : [],
    ] as const;
    if (hasTag && value("if-none-match") === tag) return { status: 304, headers: stated };
    const body = JSON.stringify(said) + " ".repeat(padding);
    return { headers: stated, body: inPieces ? [body.slice(0, 10), body.slice(10)] : body };
  }

  /**
   * The answer is one that the backend had for this very request, no
   * longer ago than it was fresh.
   */
  #check({ resource, host, headers }: Request, { status, body }: Got): void {
    const said: Said = JSON.parse(body);
    const { lifetime } = this.resources[resource]!;
    assert.equal(status, 200);
    assert.deepEqual([said.host, said.resource], [host, resource]);
    for (const [name, value] of Object.entries(said.of)) {
      assert.equal(value, headers[name] ?? null, name);
    }
    const ended = this.#versions[resource]![said.version + 1] ?? Infinity;
    assert.ok(ended >= this.backend.now - lifetime * 1000, "it is from too long ago");
    assert.ok(said.version >= this.#least[resource]!, "it is from before a change");
  }
}

Deno.test("a caller never gets an answer that the backend would not have given it while it was fresh", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(resource, { minLength: RESOURCES, maxLength: RESOURCES }),
      fc.array(step, { minLength: 5, maxLength: 60 }),
      async (resources, steps) => {
        const model = new Model(resources);
        for (const step of steps) await model.take(step);
      },
    ),
    { numRuns: 200 },
  );
});
