import assert from "node:assert/strict";
import { readConditions } from "./request.ts";
import { type Asked, CachedBackend, type Given, START, taken } from "./testing.ts";

const fresh = ["cache-control", "max-age=60"] as const;
const pageOf = ({ url }: Asked): Given => ({ headers: [fresh], body: `page ${url}` });

/** How often the backend is asked when the same is called for twice. */
async function timesAsked(given: Given, headers: Record<string, string> = {}): Promise<number> {
  const backend = new CachedBackend(() => given);
  await backend.call("/x", headers);
  await backend.call("/x", headers);
  return backend.asked.length;
}

Deno.test("a fresh answer is given again, with its age; a stale one is not (RFC 9111 §4.2)", async () => {
  const backend = new CachedBackend(pageOf);
  assert.equal((await backend.call("/x")).headers["x-cache"], "MISS");
  backend.now += 59_400;
  const { headers, body } = await backend.call("/x");
  assert.equal(headers["x-cache"], "HIT");
  assert.equal(headers.age, "59");
  assert.equal(headers.date, new Date(START).toUTCString());
  assert.equal(body, "page /x");
  backend.now += 600;
  assert.equal((await backend.call("/x")).headers["x-cache"], "MISS");
  assert.equal(backend.asked.length, 2);
});

Deno.test("URL, query, host and scheme tell answers apart", async () => {
  const backend = new CachedBackend(pageOf);
  const urls = ["/x", "/x?a", "/x?a=1", "/X", "https://a.example/x", "http://b.example/x"];
  for (const url of [...urls, ...urls]) assert.equal((await backend.call(url)).body, `page ${url}`);
  assert.equal(backend.asked.length, urls.length);
});

Deno.test("answers to callers with cookies, credentials or preconditions are theirs alone (§3.5)", async () => {
  const theirs = ["authorization", "cookie", "if-match", "if-unmodified-since"];
  for (const name of theirs) {
    const backend = new CachedBackend(pageOf);
    await backend.call("/x", { [name]: "a" });
    await backend.call("/x");
    await backend.call("/x", { [name]: "a" });
    assert.equal(backend.asked.length, 3, name);
  }
});

Deno.test("an Authorization that the gateway sets is no caller's", () => {
  const headers = [["authorization", "Basic b3VyczpvdXJz"]] as const;
  assert.ok(readConditions(headers, () => null));
  assert.ok(readConditions(headers, () => "Bearer of-the-caller"));
  assert.equal(readConditions(headers, () => "Basic b3VyczpvdXJz"), null);
});

Deno.test("a request that names another method than its own is its caller's alone", () => {
  for (const name of ["x-http-method", "x-http-method-override", "x-method-override"]) {
    assert.equal(readConditions([["accept", "*/*"], [name, "DELETE"]], () => null), null);
  }
});

Deno.test("what varies is kept apart by the fields that it varies by (§4.1)", async () => {
  const backend = new CachedBackend(({ headers }) => ({
    headers: [fresh, ["vary", "Accept-Language"], ["vary", "X-Version"]],
    body: JSON.stringify(headers.filter(([name]) => name !== "x-other")),
  }));
  const requests = [{}, { "accept-language": "de" }, { "accept-language": "de", "x-version": "2" }];
  for (const headers of requests) {
    const first = await backend.call("/x", { ...headers, "x-other": "1" });
    const second = await backend.call("/x", { ...headers, "x-other": "2" });
    assert.equal(second.body, first.body);
    assert.equal(second.headers["x-cache"], "HIT");
  }
  assert.equal(backend.asked.length, 3);
});

Deno.test("of what varies endlessly the newest sixteen answers are kept", async () => {
  const backend = new CachedBackend(({ headers }) => ({
    headers: [fresh, ["vary", "x-n"]],
    body: JSON.stringify(headers),
  }));
  for (let n = 0; n < 20; n++) {
    backend.now += 1;
    await backend.call("/x", { "x-n": `${n}` });
  }
  const before = backend.asked.length;
  await backend.call("/x", { "x-n": "4" });
  assert.equal(backend.asked.length, before);
  await backend.call("/x", { "x-n": "3" });
  assert.equal(backend.asked.length, before + 1);
});

Deno.test("HEAD has its answer from GET's, and leaves none (RFC 9110 §9.3.2)", async () => {
  const backend = new CachedBackend(pageOf);
  await backend.call("/x", {}, "HEAD");
  await backend.call("/x", {}, "HEAD");
  assert.equal(backend.asked.length, 2);
  await backend.call("/x");
  const { status, headers, body } = await backend.call("/x", {}, "HEAD");
  assert.deepEqual([status, headers["content-length"], body], [200, "7", ""]);
  assert.equal(backend.asked.length, 3);
});

Deno.test("no-store of a caller keeps its answer out, no-cache and max-age of one change nothing (§5.2.1)", async () => {
  assert.equal(await timesAsked({ headers: [fresh] }, { "cache-control": "no-store" }), 2);
  assert.equal(await timesAsked({ headers: [fresh] }, { "cache-control": "no-cache" }), 1);
  assert.equal(await timesAsked({ headers: [fresh] }, { "cache-control": "max-age=0" }), 1);
  assert.equal(await timesAsked({ headers: [fresh] }, { pragma: "no-cache" }), 1);
});

Deno.test("only-if-cached is answered with 504 when nothing is there (§5.2.1.7)", async () => {
  const backend = new CachedBackend(pageOf);
  const only = { "cache-control": "Only-If-Cached" };
  assert.equal((await backend.call("/x", only)).status, 504);
  await backend.call("/x");
  assert.equal((await backend.call("/x", only)).body, "page /x");
  assert.equal(backend.asked.length, 1);
});

Deno.test("Surrogate-Control ends here, a backend's own X-Cache passes until there is a hit", async () => {
  const backend = new CachedBackend(() => ({
    headers: [
      ["surrogate-control", "max-age=60"],
      ["cache-control", "max-age=5"],
      ["x-cache", "theirs"],
    ],
  }));
  const first = await backend.call("/x");
  assert.equal(first.headers["x-cache"], "theirs");
  assert.equal(first.headers["surrogate-control"], undefined);
  backend.now += 30_000;
  const second = await backend.call("/x");
  assert.equal(second.headers["x-cache"], "HIT");
  assert.equal(second.headers["surrogate-control"], undefined);
  assert.equal(second.headers["cache-control"], "max-age=5");
});

Deno.test("cookies keep an answer out, unless every one of them may be left out", async () => {
  const strippedCookies = [/^lb$/];
  for (
    const [cookies, asked, left] of [
      [["lb=1; Path=/"], 1, undefined],
      [["lb=1", "session=2"], 2, "session=2"],
    ] as const
  ) {
    const backend = new CachedBackend(
      () => ({ headers: [fresh, ...cookies.map((value) => ["set-cookie", value] as const)] }),
      { rules: { strippedCookies } },
    );
    assert.equal((await backend.call("/x")).headers["set-cookie"], left);
    assert.equal((await backend.call("/x")).headers["set-cookie"], left);
    assert.equal(backend.asked.length, asked);
  }
  assert.equal(await timesAsked({ headers: [fresh, ["set-cookie", "lb=1"]] }), 2);
});

Deno.test("an answer that comes in pieces is stored once it is whole", async () => {
  const backend = new CachedBackend(() => ({ headers: [fresh], body: ["one ", "two ", "three"] }));
  assert.equal((await backend.call("/x")).body, "one two three");
  assert.equal((await backend.call("/x")).body, "one two three");
  assert.equal(backend.asked.length, 1);
});

Deno.test("an answer of announced length is stored before its last byte is passed on", async () => {
  const backend = new CachedBackend(() => ({
    headers: [fresh, ["content-length", "6"]],
    body: ["one", "two"],
  }));
  const { body } = await backend.carry("/x", {}).answer;
  assert.ok(body instanceof ReadableStream);
  const reader = body.getReader();
  await reader.read();
  await reader.read();
  assert.equal((await backend.call("/x")).headers["x-cache"], "HIT");
  reader.releaseLock();
  await body.cancel();
});

Deno.test("an answer that is cut short or left is not stored", async () => {
  const broken = new CachedBackend(() => ({
    headers: [fresh],
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("half"));
      },
      pull(controller) {
        controller.error(new Error("cut"));
      },
    }, { highWaterMark: 0 }),
  }));
  await assert.rejects(broken.call("/x"), /cut/);
  await assert.rejects(broken.call("/x"), /cut/);
  assert.equal(broken.asked.length, 2);

  const left = new CachedBackend(() => ({ headers: [fresh], body: ["a", "b"] }));
  const { body } = await left.carry("/x", {}).answer;
  assert.ok(body instanceof ReadableStream);
  await body.cancel();
  assert.equal((await left.call("/x")).headers["x-cache"], "MISS");
});

Deno.test("a body over the bound passes whole and is not stored", async () => {
  const options = { entryMaxBytes: 10 };
  const parts = ["12345", "67890", "1"];
  for (
    const given of [
      { headers: [fresh], body: parts },
      { headers: [fresh], body: parts.join("") },
      { headers: [fresh, ["content-length", "11"]] as const, body: parts },
    ]
  ) {
    const backend = new CachedBackend(() => given, options);
    assert.equal((await backend.call("/x")).body, parts.join(""));
    assert.equal((await backend.call("/x")).body, parts.join(""));
    assert.equal(backend.asked.length, 2);
  }
});

Deno.test("callers that take their answers slowly have no more of them copied than there is room for", async () => {
  const part = "x".repeat(2 ** 15);
  const backend = new CachedBackend(() => ({ headers: [fresh], body: [part, "y"] }));
  const slow = await Promise.all(Array.from({ length: 5 }, async (_, n) => {
    const { body } = await backend.carry(`/${n}`, {}).answer;
    assert.ok(body instanceof ReadableStream);
    const reader = body.getReader();
    await reader.read();
    return reader;
  }));
  const rest = await Promise.all(slow.map((reader) => reader.read()));
  assert.deepEqual(rest.map(({ value }) => value?.length), [1, 1, 1, 1, 1]);
  await Promise.all(slow.map((reader) => reader.read()));
  const stored = async (n: number) => (await backend.call(`/${n}`)).headers["x-cache"];
  assert.deepEqual(
    await Promise.all([0, 1, 2, 3, 4].map(stored)).then((all) =>
      all.filter((word) => word === "HIT").length
    ),
    3,
  );
  assert.equal((await backend.call("/5")).body.length, part.length + 1);
  assert.equal(await stored(5), "HIT");
});

Deno.test("calls at one time for the same are one call to the backend", async () => {
  const gate = Promise.withResolvers<void>();
  const backend = new CachedBackend(pageOf);
  backend.gate = gate.promise;
  const calls = Array.from({ length: 50 }, () => backend.call("/x"));
  gate.resolve();
  const answers = await Promise.all(calls);
  assert.deepEqual(new Set(answers.map(({ body }) => body)), new Set(["page /x"]));
  assert.equal(answers.filter(({ headers }) => headers["x-cache"] === "HIT").length, 49);
  assert.equal(backend.asked.length, 1);
});

Deno.test("when the answer turns out to be private all go on at once, and later calls wait no more", async () => {
  const gates: (() => void)[] = [];
  const backend = new CachedBackend(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gates.push(resolve);
    await promise;
    return { headers: [["cache-control", "private, max-age=60"]] };
  });
  const calls = Array.from({ length: 10 }, () => backend.call("/x"));
  await turn();
  assert.equal(gates.length, 1);
  gates[0]?.();
  await turn();
  assert.equal(gates.length, 10, "the nine others are under way together");
  calls.push(backend.call("/x"), backend.call("/x"));
  await turn();
  assert.equal(gates.length, 12);
  for (const open of gates) open();
  await Promise.all(calls);
});

Deno.test("an answer that one caller wants unstored has no others asked for separately", async () => {
  const backend = new CachedBackend(pageOf);
  await backend.call("/x", { "cache-control": "no-store" });
  const gate = Promise.withResolvers<void>();
  backend.gate = gate.promise;
  const calls = Array.from({ length: 5 }, () => backend.call("/x"));
  gate.resolve();
  await Promise.all(calls);
  assert.equal(backend.asked.length, 2);
});

Deno.test("nobody waits for answers that are out of date as they come", async () => {
  const backend = new CachedBackend(({ headers }) =>
    headers.some(([name]) => name === "if-none-match")
      ? { status: 304 }
      : { headers: [["cache-control", "max-age=0"], ["etag", '"1"']], body: "x" }
  );
  const flight = () => {
    const request = backend.request("/x", {});
    assert.ok(request !== null);
    return backend.cache.join(request);
  };
  await backend.call("/x");
  assert.equal(flight(), null);
  backend.now += 120_000;
  assert.equal((await backend.call("/x", { "if-none-match": '"1"' })).status, 304);
  assert.equal(flight(), null);
});

Deno.test("callers wait for none whose answer is not for them, once it is known what it varies by", async () => {
  const backend = new CachedBackend(() => ({ headers: [fresh, ["vary", "accept-language"]] }));
  await backend.call("/x", { "accept-language": "en" });
  const join = (language: string) => {
    const request = backend.request("/x", { "accept-language": language });
    assert.ok(request !== null);
    return backend.cache.join(request);
  };
  const [german, french] = [join("de"), join("fr")];
  assert.ok(german !== null && !(german instanceof Promise));
  assert.ok(french !== null && !(french instanceof Promise));
  const second = join("de");
  assert.ok(second instanceof Promise);
  german.end();
  french.end();
  await second;
});

Deno.test("when the first call fails another one of those that wait goes on", async () => {
  let calls = 0;
  const backend = new CachedBackend((asked) => {
    if (calls++ === 0) throw new Error("unreachable");
    return pageOf(asked);
  });
  const answers = await Promise.allSettled(Array.from({ length: 5 }, () => backend.call("/x")));
  assert.deepEqual(answers.map(({ status }) => status), [
    "rejected",
    ...Array(4).fill("fulfilled"),
  ]);
  assert.equal(backend.asked.length, 2);
});

Deno.test("nobody waits for a caller that gives the answer up halfway", async () => {
  const backend = new CachedBackend(() => ({ headers: [fresh], body: ["a", "b"] }));
  const { body } = await backend.carry("/x", {}).answer;
  const waiting = backend.call("/x");
  assert.ok(body instanceof ReadableStream);
  await body.cancel();
  assert.equal((await waiting).body, "ab");
});

Deno.test("a caller's conditions reach the backend when nothing is stored; its 304 is not kept", async () => {
  const backend = new CachedBackend(({ headers }) =>
    headers.some(([name]) => name === "if-none-match")
      ? { status: 304, headers: [fresh, ["etag", '"1"']] }
      : { headers: [fresh, ["etag", '"1"']], body: "whole" }
  );
  assert.equal((await backend.call("/x", { "if-none-match": '"1"' })).status, 304);
  assert.deepEqual((await backend.call("/x")).body, "whole");
  assert.equal((await backend.call("/x", { "if-none-match": '"1"' })).headers["x-cache"], "HIT");
  assert.equal(backend.asked.length, 2);
});

Deno.test("a stale answer is asked about, and fresh again after a 304 (§4.3)", async () => {
  let version = 1;
  const backend = new CachedBackend(({ headers }) => {
    const tag = `"${version}"`;
    const isSame = headers.some(([name, value]) => name === "if-none-match" && value === tag);
    return isSame
      ? { status: 304, headers: [["etag", tag], ["x-checked", "yes"], ["content-type", "no/no"]] }
      : {
        headers: [fresh, ["etag", tag], ["content-type", "text/plain"]],
        body: `body ${version}`,
      };
  });
  await backend.call("/x");
  backend.now += 61_000;
  const checked = await backend.call("/x");
  assert.deepEqual([checked.status, checked.body], [200, "body 1"]);
  assert.equal(checked.headers["x-checked"], "yes");
  assert.equal(checked.headers["content-type"], "text/plain");
  backend.now += 59_000;
  assert.equal((await backend.call("/x")).headers["x-cache"], "HIT");
  backend.now += 2000;
  version = 2;
  assert.equal((await backend.call("/x")).body, "body 2");
  assert.equal((await backend.call("/x")).body, "body 2");
  assert.equal(backend.asked.length, 3);
});

Deno.test("a 304 with another tag is not about the stale answer: it is asked for whole (§4.3.4)", async () => {
  let tag = '"1"';
  const backend = new CachedBackend(({ headers }) =>
    headers.some(([name]) => name === "if-none-match")
      ? { status: 304, headers: [fresh, ["etag", tag]] }
      : { headers: [fresh, ["etag", tag]], body: `body ${tag}` }
  );
  await backend.call("/x");
  backend.now += 61_000;
  tag = '"2"';
  for (const _ of ["asked for", "stored"]) {
    const { headers, body } = await backend.call("/x");
    assert.deepEqual([headers.etag, body], ['"2"', 'body "2"']);
  }
  assert.equal(backend.asked.length, 3);
  backend.now += 61_000;
  tag = 'W/"2"';
  assert.equal((await backend.call("/x")).body, 'body "2"');
  assert.equal(backend.asked.length, 4);
});

Deno.test("a caller that has the stale answer is told 304 when it still holds", async () => {
  const backend = new CachedBackend(({ headers }) =>
    headers.some(([name]) => name === "if-none-match")
      ? { status: 304, headers: [] }
      : { headers: [fresh, ["etag", '"1"']], body: "whole" }
  );
  await backend.call("/x");
  backend.now += 61_000;
  assert.equal((await backend.call("/x", { "if-none-match": '"1"' })).status, 304);
  assert.equal((await backend.call("/x", { "if-none-match": '"0"' })).body, "whole");
  assert.equal(backend.asked.length, 2);
});

Deno.test("a part is taken from what is stored, asked for from the backend otherwise and not kept", async () => {
  const backend = new CachedBackend(({ headers }) =>
    headers.some(([name]) => name === "range")
      ? { status: 206, headers: [fresh, ["content-range", "bytes 0-0/10"]], body: "0" }
      : { headers: [fresh], body: "0123456789" }
  );
  const range = { range: "bytes=0-0" };
  assert.equal((await backend.call("/x", range)).status, 206);
  assert.equal((await backend.call("/x")).body, "0123456789");
  const part = await backend.call("/x", { range: "bytes=2-4" });
  assert.deepEqual([part.status, part.body, part.headers["content-range"]], [
    206,
    "234",
    "bytes 2-4/10",
  ]);
  assert.equal(backend.asked.length, 2);
});

Deno.test("what an unsafe method has changed is asked for anew, even if it was under way (§4.4)", async () => {
  const backend = new CachedBackend(pageOf);
  await backend.call("/x");
  await backend.call("/y");
  const { key } = backend.request("/x", {}) ?? { key: "" };
  backend.cache.invalidate(key);
  assert.equal((await backend.call("/x")).headers["x-cache"], "MISS");
  assert.equal((await backend.call("/y")).headers["x-cache"], "HIT");

  const gate = Promise.withResolvers<void>();
  backend.gate = gate.promise;
  backend.cache.invalidate(key);
  const underWay = backend.carry("/x", {}).answer;
  backend.cache.invalidate(key);
  gate.resolve();
  await taken(await underWay);
  assert.equal((await backend.call("/x")).headers["x-cache"], "MISS");
});

/** Lets everything go on that waits for nothing. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
