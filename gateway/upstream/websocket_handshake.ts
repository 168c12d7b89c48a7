/**
 * The client's part of a WebSocket's opening handshake (RFC 6455 §4.1): what goes out
 * with the request, and whether the server's 101 agrees to it.
 */
import { createHash } from "node:crypto";
import type { HeaderField, HeaderFields } from "../exchange/header_fields.ts";
import { ProtocolError } from "./faults.ts";
import type { UpstreamRequest } from "./request_head.ts";

/** What one connection says of its own key, version and extensions, in both directions. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  "sec-websocket-accept",
  "sec-websocket-extensions",
  "sec-websocket-key",
  "sec-websocket-version",
]);

const PROTOCOL = "sec-websocket-protocol";
const KEY_BYTES = 16;
/** §1.3 */
const ACCEPT_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export class WebSocketHandshake {
  /** What asks for the WebSocket; no extension is offered. */
  readonly request: Required<Pick<UpstreamRequest, "headers" | "upgrade">>;
  readonly #key: string;
  readonly #offered: ReadonlySet<string>;

  /**
   * @param headers what goes out, names in lower case; the subprotocols
   * on offer are taken from it
   */
  constructor(headers: HeaderFields) {
    this.#key = crypto.getRandomValues(new Uint8Array(KEY_BYTES)).toBase64();
    this.#offered = new Set(
      headers.filter(([name]) => name === PROTOCOL)
        .flatMap(([, value]) => value.split(",").map((protocol) => protocol.trim())),
    );
    this.request = {
      headers: [
        ...headers.filter(([name]) => !OF_ONE_CONNECTION.has(name)),
        ["sec-websocket-version", "13"],
        ["sec-websocket-key", this.#key],
      ],
      upgrade: "websocket",
    };
  }

  /**
   * The fields of the server's 101 that are for the client: its subprotocol among them.
   *
   * @throws {ProtocolError} when the server agrees to something else
   */
  agreed(answer: HeaderFields): HeaderField[] {
    const values = (wanted: string) =>
      answer.filter(([name]) => name === wanted).map(([, value]) => value);
    const [accept, ...others] = values("sec-websocket-accept");
    if (accept !== acceptFor(this.#key) || others.length > 0) {
      throw new ProtocolError("has a wrong Sec-WebSocket-Accept");
    }
    if (values("sec-websocket-extensions").some((value) => value !== "")) {
      throw new ProtocolError("agrees to a WebSocket extension that was not offered");
    }
    const protocols = values(PROTOCOL);
    if (protocols.length > 1 || protocols.some((protocol) => !this.#offered.has(protocol))) {
      throw new ProtocolError("agrees to a WebSocket subprotocol that was not offered");
    }
    return answer.filter(([name]) => !OF_ONE_CONNECTION.has(name) && name !== "content-length")
      .map(([name, value]) => [name, value]);
  }
}

/** §4.2.2 */
export function acceptFor(key: string): string {
  return createHash("sha1").update(key + ACCEPT_SUFFIX).digest("base64");
}
