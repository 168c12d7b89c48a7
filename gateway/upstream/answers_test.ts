import assert from "node:assert/strict";
import type { UpstreamFaultKind } from "./faults.ts";
import { ByteUpstream } from "./testing/byte_upstream.ts";
import { request, TestGroup, text } from "./testing/calls.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Answers the first request of each connection with `bytes`, then closes. */
function answering(bytes: string): ByteUpstream {
  return new ByteUpstream(async (peer) => {
    await peer.answer(bytes);
  });
}

/** Answers the first request of each connection with `bytes`, then waits to be left. */
function answeringAndWaiting(bytes: string): ByteUpstream {
  return new ByteUpstream(async (peer) => {
    await peer.answer(bytes);
    await peer.readToEnd();
  });
}

/** Answers the first call with `bytes` and further ones properly. */
function answeringBadlyOnce(bytes: string): ByteUpstream {
  return new ByteUpstream(async (peer, index) => {
    await peer.answer(index === 0 ? bytes : OK);
    await peer.readToEnd();
  });
}

function fault(kind: UpstreamFaultKind, message: RegExp) {
  return { name: "UpstreamFault", kind, message };
}

Deno.test("an answer that arrives whole is given as bytes", async () => {
  await using upstream = answeringAndWaiting(
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
  );
  using group = new TestGroup([upstream]);
  const call = group.get();
  const answer = await call.answer;
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.headers, [["content-type", "text/plain"], ["content-length", "5"]]);
  assert.ok(answer.body instanceof Uint8Array);
  assert.equal(await text(answer), "hello");
  assert.equal(call.responseBytes, 5);
  assert.equal(call.outcome, "complete");
  assert.equal(call.server, `127.0.0.1:${upstream.port}`);
});

Deno.test("a body that follows its head is passed on as it comes", async () => {
  const rest = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst");
    await rest.promise;
    await peer.write("after");
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.get();
  const { body } = await call.answer;
  assert.ok(body instanceof ReadableStream);
  const reader = body.getReader();
  assert.equal(String.fromCharCode(...(await reader.read()).value!), "first");
  assert.equal(call.outcome, "running");
  rest.resolve();
  assert.equal(String.fromCharCode(...(await reader.read()).value!), "after");
  assert.equal((await reader.read()).done, true);
  assert.equal(call.outcome, "complete");
  assert.equal(call.responseBytes, 10);
});

Deno.test("events of an endless answer are passed on with no delay", async () => {
  const next = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (const { promise } of next) {
      await promise;
      await peer.write("9\r\ndata: 1\n\n\r\n");
    }
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.get();
  const { body } = await call.answer;
  assert.ok(body instanceof ReadableStream);
  const reader = body.getReader();
  for (const { resolve } of next) {
    resolve();
    assert.equal(String.fromCharCode(...(await reader.read()).value!), "data: 1\n\n");
  }
  await reader.cancel();
  assert.equal(call.outcome, "aborted");
});

for (const framing of ["Content-Length", "chunked", "until close"] as const) {
  Deno.test(`a large body arrives byte for byte (${framing})`, async () => {
    const content = "0123456789abcde".repeat(20_000);
    const heads = {
      "Content-Length": `Content-Length: ${content.length}\r\n\r\n`,
      "chunked": "Transfer-Encoding: chunked\r\n\r\n",
      "until close": "\r\n",
    };
    const half = content.length / 2;
    const bodies = {
      "Content-Length": content,
      "chunked": `${half.toString(16)}\r\n${content.slice(half)}\r\n`.repeat(2) + "0\r\n\r\n",
      "until close": content,
    };
    await using upstream = answering(`HTTP/1.1 200 OK\r\n${heads[framing]}${bodies[framing]}`);
    using group = new TestGroup([upstream]);
    const call = group.get();
    assert.ok(await text(await call.answer) === content);
    assert.equal(call.responseBytes, content.length);
    assert.equal(call.outcome, "complete");
  });
}

Deno.test("a chunked answer loses its chunks, extensions and trailers", async () => {
  await using upstream = answeringAndWaiting(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n" +
      '5;a="b"\r\nhello\r\n7 ;c\r\n, world\r\n0\r\nX-Sum: 12\r\n\r\n',
  );
  using group = new TestGroup([upstream]);
  const answer = await group.get().answer;
  assert.deepEqual(answer.headers, []);
  assert.ok(answer.body instanceof Uint8Array);
  assert.equal(await text(answer), "hello, world");
});

Deno.test("repeated fields stay apart and in order, hop-by-hop fields end here", async () => {
  await using upstream = answeringAndWaiting(
    "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nX-Hop: 1\r\nSet-Cookie:b=2 \r\nVary:\r\n" +
      "Connection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\nUpgrade: h2c\r\n" +
      "Proxy-Authenticate: Basic\r\nX-Latin: caf\xe9\r\nContent-Length: 0\r\n\r\n",
  );
  using group = new TestGroup([upstream]);
  const answer = await group.get().answer;
  assert.deepEqual(answer.headers, [
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
    ["vary", ""],
    ["x-latin", "caf\xe9"],
    ["content-length", "0"],
  ]);
  assert.equal(answer.body, null);
});

Deno.test("content encodings are passed on untouched", async () => {
  await using upstream = answeringAndWaiting(
    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\x1f\x8b\x08\x00",
  );
  using group = new TestGroup([upstream]);
  const answer = await group.get().answer;
  assert.deepEqual(answer.headers[0], ["content-encoding", "gzip"]);
  assert.equal(await text(answer), "\x1f\x8b\x08\x00");
});

Deno.test("the answer to HEAD has its Content-Length and no body", async () => {
  await using upstream = answeringAndWaiting("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
  using group = new TestGroup([upstream]);
  const call = group.send(request({ method: "HEAD" }));
  const answer = await call.answer;
  assert.deepEqual(answer.headers, [["content-length", "500"]]);
  assert.equal(answer.body, null);
  assert.equal(call.outcome, "complete");
});

for (
  const [head, headers] of [
    ["204 No Content\r\nContent-Length: 0", []],
    ['304 Not Modified\r\nContent-Length: 500\r\nETag: "1"', [
      ["content-length", "500"],
      ["etag", '"1"'],
    ]],
    ["205 Reset Content\r\nContent-Length: 0", []],
  ] as const
) {
  Deno.test(`${head.slice(0, 3)} has no body, whatever its fields say`, async () => {
    await using upstream = new ByteUpstream(async (peer) => {
      await peer.answer(`HTTP/1.1 ${head}\r\n\r\n`);
      await peer.answer(OK);
      await peer.readToEnd();
    });
    using group = new TestGroup([upstream]);
    const answer = await group.get().answer;
    assert.equal(answer.body, null);
    assert.deepEqual(answer.headers, headers);
    assert.equal(await text(await group.get().answer), "ok");
    assert.equal(upstream.connections, 1);
  });
}

Deno.test("interim answers are skipped, in any number", async () => {
  const interim = "HTTP/1.1 102 Processing\r\n\r\n".repeat(700) +
    "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n";
  await using upstream = answeringAndWaiting(interim + OK);
  using group = new TestGroup([upstream]);
  const answer = await group.get().answer;
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.headers, [["content-length", "2"]]);
  assert.equal(await text(answer), "ok");
});

Deno.test("interim answers without end are an invalid answer", async () => {
  await using upstream = answering("HTTP/1.1 102 Processing\r\n\r\n".repeat(2000));
  using group = new TestGroup([upstream]);
  await assert.rejects(group.get().answer, fault("invalid_response", /too many interim answers/));
});

Deno.test("a head of 64 KiB is taken", async () => {
  const head = `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Large: `;
  const filler = "x".repeat(65_536 - head.length - 4);
  await using upstream = answeringAndWaiting(`${head}${filler}\r\n\r\nok`);
  using group = new TestGroup([upstream]);
  const answer = await group.get().answer;
  assert.equal(answer.headers[1]?.[1].length, filler.length);
  assert.equal(await text(answer), "ok");
});

const invalidAnswers: Record<string, [bytes: string, message: RegExp]> = {
  "of another protocol": ["SSH-2.0-OpenSSH_9.6\r\n\r\n", /malformed/],
  "of HTTP/2": ["HTTP/2 200 OK\r\n\r\n", /malformed/],
  "with a status of two digits": ["HTTP/1.1 20 OK\r\n\r\n", /malformed/],
  "with a status beyond 599": ["HTTP/1.1 600 Odd\r\n\r\n", /malformed/],
  "with two Content-Lengths": [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!",
    /two Content-Lengths/,
  ],
  "with the same Content-Length twice": [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
    /two Content-Lengths/,
  ],
  "with a list as Content-Length": [
    "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
    /invalid Content-Length/,
  ],
  "with a signed Content-Length": [
    "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
    /invalid Content-Length/,
  ],
  "with Content-Length and Transfer-Encoding": [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    /both Content-Length and Transfer-Encoding/,
  ],
  "with an unknown transfer coding": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    /Transfer-Encoding other than chunked/,
  ],
  "with chunked applied twice": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    /Transfer-Encoding other than chunked/,
  ],
  "with Transfer-Encoding in HTTP/1.0": [
    "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    /Transfer-Encoding in HTTP\/1.0/,
  ],
  "with a bare LF in its head": ["HTTP/1.1 200 OK\r\nA: 1\nContent-Length: 0\r\n\r\n", /bare LF/],
  "with bare LFs alone": ["HTTP/1.1 200 OK\nContent-Length: 0\n\n", /bare LF/],
  "with a bare CR in its head": ["HTTP/1.1 200 OK\r\nA: 1\rB: 2\r\n\r\n", /malformed/],
  "with a NUL in a value": ["HTTP/1.1 200 OK\r\nA: 1\x002\r\n\r\n", /malformed/],
  "with a folded field": ["HTTP/1.1 200 OK\r\nA: 1\r\n B: 2\r\n\r\n", /malformed/],
  "with a space before a colon": ["HTTP/1.1 200 OK\r\nA : 1\r\n\r\n", /malformed/],
  "with a field without a name": ["HTTP/1.1 200 OK\r\n: 1\r\n\r\n", /malformed/],
  "with a field without a colon": ["HTTP/1.1 200 OK\r\nA\r\n\r\n", /malformed/],
  "with an empty line before it": ["\r\nHTTP/1.1 200 OK\r\n\r\n", /malformed/],
  "that switches protocols": ["HTTP/1.1 101 Switching Protocols\r\n\r\n", /switches protocols/],
  "with a head beyond 64 KiB": [
    `HTTP/1.1 200 OK\r\n${"X: 0123456789\r\n".repeat(5000)}\r\n`,
    /too large/,
  ],
  "with a head that never ends": [`HTTP/1.1 200 OK\r\nX: ${"x".repeat(140_000)}`, /too large/],
  "with a chunk without a size": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\nhello",
    /chunk without a size/,
  ],
  "with a chunk size that is no number": [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
    /invalid chunk size line/,
  ],
};

for (const [name, [bytes, message]] of Object.entries(invalidAnswers)) {
  Deno.test(`an answer ${name} is refused, and its connection dropped`, async () => {
    await using upstream = answeringBadlyOnce(bytes);
    using group = new TestGroup([upstream]);
    const call = group.get();
    await assert.rejects(call.answer, fault("invalid_response", message));
    assert.equal(call.outcome, "aborted");
    assert.equal(await text(await group.get().answer), "ok");
    assert.equal(upstream.connections, 2);
  });
}

for (
  const [name, bytes] of Object.entries({
    "a body shorter than its Content-Length": "Content-Length: 10\r\n\r\nhello",
    "a body that ends in the middle of a chunk": "Transfer-Encoding: chunked\r\n\r\na\r\nhello",
    "a chunked body without its last chunk": "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    "a chunked body without the end of its trailers":
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
  })
) {
  Deno.test(`${name} is an aborted answer, not a short one`, async () => {
    await using upstream = answering(`HTTP/1.1 200 OK\r\n${bytes}`);
    using group = new TestGroup([upstream]);
    const call = group.get();
    const answer = await call.answer;
    await assert.rejects(text(answer), fault("invalid_response", /cut short/));
    assert.equal(call.outcome, "aborted");
    assert.equal(call.responseBytes, 5);
  });
}

Deno.test("broken framing in the middle of a body is an aborted answer", async () => {
  const rest = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    await rest.promise;
    await peer.write("5\r\nhello!");
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const { body } = await group.get().answer;
  rest.resolve();
  await assert.rejects(
    text({ status: 200, headers: [], body }),
    fault("invalid_response", /chunk longer than its size/),
  );
});

Deno.test("a connection closed before any answer is an invalid answer", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
  });
  using group = new TestGroup([upstream]);
  await assert.rejects(group.get().answer, fault("invalid_response", /without an answer/));
  assert.equal(upstream.connections, 1);
});

Deno.test("a connection closed within the head is an invalid answer", async () => {
  await using upstream = answering("HTTP/1.1 200 OK\r\nContent-Len");
  using group = new TestGroup([upstream]);
  await assert.rejects(group.get().answer, fault("invalid_response", /without an answer/));
});

Deno.test("a status line without a reason is taken, with or without the space before it", async () => {
  for (const line of ["HTTP/1.1 200", "HTTP/1.1 200 "]) {
    await using upstream = answering(`${line}\r\nContent-Length: 2\r\n\r\nok`);
    using group = new TestGroup([upstream]);
    assert.equal(await text(await group.get().answer), "ok");
  }
});
