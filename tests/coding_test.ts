/** gzip and brotli over the wire: who gets what, what is said of it, and that streams stay streams. */
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { Buffer } from "node:buffer";
import { setUp } from "./harness/admin.ts";
import { startPortico } from "./harness/portico.ts";
import {
  closingGet,
  exchangeBytes,
  headerValues,
  type RawAnswer,
  RawConnection,
} from "./harness/raw.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

const text = JSON.stringify(
  Array.from({ length: 100 }, (_, id) => ({ id, name: `thing ${id}`, price: id * 1.5 })),
);
const gzipped = gzipSync(text);
const large = text.repeat(200);
const BOMB_BYTES = 256 * 1_048_576;

/** What the upstream answers, by path. */
const answers: Record<string, (response: ServerResponse) => void> = {
  "/text": (response) => whole(response, text, { etag: '"a"', "accept-ranges": "bytes" }),
  "/short": (response) => whole(response, "x".repeat(999)),
  "/chunked": (response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("short");
    response.end(" too");
  },
  "/large": (response) => whole(response, large),
  "/error": (response) => whole(response, text, {}, 404),
  "/image": (response) => whole(response, text, { "content-type": "image/png" }),
  "/part": (response) => whole(response, text, { "content-range": "bytes 0-1/9" }, 206),
  "/untouched": (response) => whole(response, text, { "cache-control": "no-transform" }),
  "/none": (response) => response.writeHead(204, { "content-type": "text/plain" }).end(),
  "/varies": (response) => whole(response, text, { vary: "Origin" }),
  "/gzipped": (response) =>
    whole(response, gzipped, { "content-encoding": "gzip", etag: '"b"', vary: "Accept-Encoding" }),
  "/gzipped-large": (response) => whole(response, gzipSync(large), { "content-encoding": "gzip" }),
  "/not-gzip": (response) => whole(response, text, { "content-encoding": "gzip" }),
  "/cut-gzip": (response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": "gzip" });
    response.write(gzipSync(Buffer.from(crypto.getRandomValues(new Uint8Array(60_000)))));
    response.end("no gzip at all");
  },
  "/bomb": (response) =>
    whole(response, gzipSync(new Uint8Array(BOMB_BYTES)), { "content-encoding": "gzip" }),
};

function whole(
  response: ServerResponse,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  status = 200,
): void {
  const length = Buffer.byteLength(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": length,
    ...headers,
  });
  response.end(body);
}

function configuration(port: number): string {
  const api = (prefix: string, settings: Record<string, unknown> = {}) => ({
    name: prefix,
    servers: [{ host: "127.0.0.1", port }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings: { disable_api_key: true, ...settings },
  });
  return JSON.stringify({ // which is YAML too
    default_api_backend_settings: { rate_limit_mode: "unlimited" },
    apis: [api("/api/"), api("/plain/", { compress_answers: false })],
  });
}

Deno.test("answers come in a coding that the caller takes", async (t) => {
  await using upstream = await startUpstream((request, response) => {
    answers[request.url ?? ""]?.(response);
  });
  await using portico = await startPortico({ config: configuration(upstream.port) });
  const admin = await setUp(portico);
  const get = (path: string, accepts?: string) =>
    exchangeBytes(
      portico.port,
      closingGet(path, ...(accepts === undefined ? [] : [`Accept-Encoding: ${accepts}`])),
    );
  const value = (answer: RawAnswer, name: string) => headerValues(answer, name).join(" | ");

  await t.step("text is compressed, and what is said of it is true", async () => {
    const gzip = await get("/api/text", "gzip");
    assert.equal(value(gzip, "content-encoding"), "gzip");
    assert.equal(value(gzip, "vary"), "Accept-Encoding");
    assert.equal(value(gzip, "etag"), 'W/"a"');
    assert.equal(value(gzip, "accept-ranges"), "");
    assert.equal(value(gzip, "content-length"), String(gzip.body.length));
    assert.equal(gunzipSync(content(gzip)).toString(), text);
    const br = await get("/api/text", "gzip, deflate, br, zstd");
    assert.equal(value(br, "content-encoding"), "br");
    assert.equal(brotliDecompressSync(content(br)).toString(), text);
    assert.equal(value(await get("/api/error", "gzip"), "content-encoding"), "gzip");
  });

  await t.step("the weights of Accept-Encoding decide", async () => {
    const coding = async (accepts: string) =>
      value(await get("/api/text", accepts), "content-encoding");
    assert.equal(await coding("br;q=0.5, gzip"), "gzip");
    assert.equal(await coding("gzip;q=0, br;q=0"), "");
    assert.equal(await coding("identity, gzip;q=0.9"), "");
    assert.equal(await coding("*"), "br");
    assert.equal(await coding("deflate"), "");
  });

  await t.step(
    "who says nothing gets it plain, and caches are told that others may not",
    async () => {
      const plain = await get("/api/text");
      assert.equal(plain.body, text);
      assert.equal(value(plain, "etag"), '"a"');
      assert.equal(value(plain, "vary"), "Accept-Encoding");
      assert.equal(value(await get("/api/varies"), "vary"), "Origin, Accept-Encoding");
    },
  );

  await t.step("what is large, or of unknown length, is compressed as it comes", async () => {
    const long = await get("/api/large", "gzip");
    assert.equal(value(long, "transfer-encoding"), "chunked");
    assert.equal(value(long, "content-length"), "");
    assert.equal(gunzipSync(content(long)).toString(), large);
    const chunked = await get("/api/chunked", "br");
    assert.equal(value(chunked, "content-encoding"), "br");
    assert.equal(brotliDecompressSync(content(chunked)).toString(), "short too");
  });

  await t.step(
    "what is short, no text, a part, empty or not to be changed stays as it is",
    async () => {
      for (const path of ["short", "image", "part", "untouched"]) {
        const answer = await get(`/api/${path}`, "gzip, br");
        assert.equal(value(answer, "content-encoding"), "", path);
        assert.equal(value(answer, "vary"), "", path);
        assert.equal(value(answer, "content-length"), String(answer.body.length), path);
      }
      assert.equal((await get("/api/none", "gzip")).body, "");
    },
  );

  await t.step("HEAD is answered as the backend does", async () => {
    const request = closingGet("/api/text", "Accept-Encoding: gzip").replace("GET", "HEAD");
    const head = await exchangeBytes(portico.port, request);
    assert.equal(value(head, "content-length"), String(text.length));
    assert.equal(value(head, "content-encoding"), "");
    assert.equal(head.body, "");
  });

  await t.step(
    "gzip goes on as it is to who takes it, and is taken off for who does not",
    async () => {
      const as = await get("/api/gzipped", "gzip, br");
      assert.deepEqual(content(as), Buffer.from(gzipped));
      assert.equal(value(as, "etag"), '"b"');
      for (const accepts of [undefined, "br", "gzip;q=0"]) {
        const plain = await get("/api/gzipped", accepts);
        assert.equal(plain.body, text, accepts);
        assert.equal(value(plain, "content-encoding"), "");
        assert.equal(value(plain, "etag"), 'W/"b"');
        assert.equal(value(plain, "vary"), "Accept-Encoding");
      }
      const long = await get("/api/gzipped-large");
      assert.equal(content(long).toString(), large);
    },
  );

  await t.step(
    "compress_answers: false leaves answers plain, and takes gzip off all the same",
    async () => {
      const plain = await get("/plain/text", "gzip, br");
      assert.equal(plain.body, text);
      assert.equal(value(plain, "vary"), "");
      assert.equal((await get("/plain/gzipped")).body, text);
    },
  );

  await t.step(
    "a body that is no gzip is the backend's fault; one that breaks off is cut off",
    async () => {
      const broken = await get("/api/not-gzip");
      assert.equal(broken.status, 502);
      assert.match(broken.body, /"BAD_GATEWAY"/);
      const cut = await get("/api/cut-gzip");
      assert.ok(cut.status === 502 || !cut.body.endsWith("0\r\n\r\n"), "a whole answer");
    },
  );

  await t.step("a body that grows a thousandfold is passed on as it grows", async () => {
    const before = await memoryOf(portico.pid);
    using connection = await RawConnection.open(portico.port);
    await connection.send(closingGet("/api/bomb"));
    await connection.readUntil((read) => read.length > 1_048_576);
    const grown = await memoryOf(portico.pid) - before;
    assert.ok(grown < BOMB_BYTES / 2, `${grown} bytes more`);
  });

  await t.step("the log counts the bytes that the caller was sent", async () => {
    const coded = await get("/api/text", "gzip");
    const streamed = await get("/api/large", "gzip");
    const rows = async (path: string) =>
      (await admin.logs(`request_path=${path}`)).find((row) =>
        row.request_accept_encoding === "gzip" && row.response_status === 200
      );
    await until(async () => await rows("/api/large") !== undefined, "the row of /api/large");
    assert.equal((await rows("/api/text"))?.response_size, coded.body.length);
    assert.equal((await rows("/api/text"))?.response_content_encoding, "gzip");
    assert.equal(
      (await rows("/api/large"))?.response_size,
      content(streamed).length,
    );
  });
});

Deno.test("streams stay streams", async (t) => {
  let current: ServerResponse | null = null;
  await using upstream = await startUpstream((request, response) => {
    const type = request.url?.startsWith("/events") ? "text/event-stream" : "text/plain";
    const isCoded = request.url?.endsWith("/gzip") === true;
    response.writeHead(200, {
      "content-type": type,
      ...(isCoded && { "content-encoding": "gzip" }),
    });
    response.flushHeaders();
    current = response;
  });
  await using portico = await startPortico({ config: configuration(upstream.port) });
  const admin = await setUp(portico);

  /** Opens a call and waits until its backend has it. */
  async function open(path: string, accepts: string): Promise<[Response, ServerResponse]> {
    current = null;
    const response = await fetch(portico.url() + path, {
      headers: { "accept-encoding": accepts },
    });
    return [response, current ?? assert.fail("the backend has no call")];
  }

  for (const coding of ["gzip", "br"]) {
    await t.step(`each piece is there in ${coding} before the next one is sent`, async () => {
      const [response, upstreamSide] = await open("/api/stream", coding);
      assert.equal(response.headers.get("vary"), "Accept-Encoding");
      const reader = (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream())
        .getReader();
      for (const piece of ["first\n", "second\n", "third\n"]) {
        upstreamSide.write(piece);
        assert.equal((await reader.read()).value, piece);
      }
      upstreamSide.end();
      assert.equal((await reader.read()).done, true);
    });
  }

  await t.step("events are not compressed, and come one by one", async () => {
    const [response, upstreamSide] = await open("/api/events", "gzip, br");
    assert.equal(response.headers.get("content-encoding"), null);
    const reader = (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream())
      .getReader();
    for (const piece of ["data: 1\n\n", "data: 2\n\n"]) {
      upstreamSide.write(piece);
      assert.equal((await reader.read()).value, piece);
    }
    await reader.cancel();
  });

  await t.step(
    "a client that leaves in a silence ends the backend's call, which is logged",
    async () => {
      const [response, upstreamSide] = await open("/api/left", "br");
      const closed = new Promise((resolve) => upstreamSide.once("close", resolve));
      upstreamSide.write("first\n");
      const reader = (response.body ?? assert.fail()).getReader();
      await reader.read();
      await reader.cancel();
      await closed;
      const row = async () => (await admin.logs("request_path=/api/left"))[0];
      await until(async () => await row() !== undefined, "the row of the call");
      assert.equal((await row())?.api_backend_response_code_details, "answer_cut_short");
    },
  );

  await t.step("a backend that breaks off cuts the compressed answer off as well", async () => {
    const [response, upstreamSide] = await open("/api/broken", "gzip");
    upstreamSide.write("first\n");
    const reader = (response.body ?? assert.fail()).getReader();
    await reader.read();
    upstreamSide.destroy();
    await assert.rejects(reader.read());
  });
});

/** The body without its framing. */
function content(answer: RawAnswer): Buffer {
  const bytes = Buffer.from(answer.body, "latin1");
  return headerValues(answer, "transfer-encoding").length > 0 ? unchunked(bytes) : bytes;
}

function unchunked(body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0;;) {
    const end = body.indexOf("\r\n", at);
    const length = parseInt(body.toString("latin1", at, end), 16);
    if (!(length > 0)) return Buffer.concat(pieces);
    pieces.push(body.subarray(end + 2, end + 2 + length));
    at = end + 2 + length + 2;
  }
}

/** Resident memory of a process, in bytes. */
async function memoryOf(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
