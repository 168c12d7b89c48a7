import assert from "node:assert/strict";
import { within } from "../within.ts";
import { type Flight, Flights, PATIENCE } from "./flights.ts";
import { CacheMemory, newCacheMemory } from "./memory.ts";

const now = Date.parse("2026-01-01T00:00:00Z");
const hash = { high: 77, low: 5 };

/** As two isolates have them. */
function two(): [Flights, Flights] {
  const memory = newCacheMemory(2 ** 20);
  return [new Flights(new CacheMemory(memory)), new Flights(new CacheMemory(memory))];
}

function begun(joined: Flight | Promise<void>): Flight {
  assert.ok(!(joined instanceof Promise), "there is a flight already");
  return joined;
}

function awaited(joined: Flight | Promise<void>): Promise<boolean> {
  assert.ok(joined instanceof Promise, "there is no flight yet");
  return within(PATIENCE, joined.then(() => true)).then((ended) => ended === true);
}

Deno.test("the second one waits until the first one's flight ends, in another isolate too", async () => {
  const [one, other] = two();
  const flight = begun(one.join("key", hash, now));
  const waiting = [one, one, other, other].map((flights) =>
    awaited(flights.join("key", hash, now))
  );
  flight.end();
  assert.deepEqual(await Promise.all(waiting), [true, true, true, true]);
  begun(other.join("key", hash, now)).end();
});

Deno.test("to end a flight again does nothing to the next one", () => {
  const [one, other] = two();
  const flight = begun(one.join("key", hash, now));
  flight.end();
  const next = begun(one.join("key", hash, now));
  flight.end();
  assert.ok(other.join("key", hash, now) instanceof Promise);
  next.end();
});

Deno.test("flights for different keys do not wait for each other", () => {
  const [one, other] = two();
  const flights = [
    one.join("key", hash, now),
    one.join("another", { high: 99, low: 5 }, now), // in the same slot
    other.join("a third", { high: 123, low: 5 }, now),
    other.join("a fourth", { high: 77, low: 6 }, now),
  ];
  for (const flight of flights) begun(flight).end();
});

Deno.test("a flight that nobody would wait for any more is taken over, once", () => {
  const [one, other] = two();
  begun(one.join("key", hash, now)); // whose isolate ends before it does
  const later = now + PATIENCE;
  assert.ok(other.join("key", hash, later - 1) instanceof Promise);
  const [third, fourth] = [begun(one.join("key", hash, later)), one.join("key", hash, later)];
  assert.ok(fourth instanceof Promise);
  third.end();
});
