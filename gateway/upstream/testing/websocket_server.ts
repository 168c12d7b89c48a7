/** A WebSocket's server for tests, frame by frame: it can break every rule. */
import { Buffer } from "node:buffer";
import { acceptFor } from "../websocket_handshake.ts";
import { closeContent, type Closing } from "../websocket_frame.ts";
import type { Peer } from "./byte_upstream.ts";

export interface FrameOptions {
  readonly isFinal?: boolean;
  /** The three bits after the first. */
  readonly reserved?: number;
  readonly isMasked?: boolean;
  /** To be announced in place of the content's own. */
  readonly length?: bigint;
}

/**
 * A frame as a server sends it (RFC 6455 §5.2), `content` in UTF-8;
 * right unless told otherwise.
 */
export function serverFrame(
  opcode: number,
  content: string | Uint8Array = "",
  { isFinal = true, reserved = 0, isMasked = false, length }: FrameOptions = {},
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(content as string);
  const size = length ?? BigInt(bytes.length);
  const header = new DataView(new ArrayBuffer(size < 126n ? 2 : size < 65_536n ? 4 : 10));
  header.setUint8(0, (isFinal ? 0x80 : 0) | (reserved << 4) | opcode);
  const short = size < 126n ? Number(size) : size < 65_536n ? 126 : 127;
  header.setUint8(1, (isMasked ? 0x80 : 0) | short);
  if (short === 126) header.setUint16(2, Number(size));
  if (short === 127) header.setBigUint64(2, size);
  const mask = new Uint8Array(isMasked ? 4 : 0); // of zeros: it leaves the content as it is
  return new Uint8Array(Buffer.concat([new Uint8Array(header.buffer), mask, bytes]));
}

export function closeFrame(closing: Closing): Uint8Array<ArrayBuffer> {
  return serverFrame(0x8, closeContent(closing));
}

/** A frame as it came, its mask taken off. */
export interface ClientFrame {
  readonly opcode: number;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Reads a frame that a client sent. @throws unless it is masked, as it must be */
export async function readFrame(peer: Peer): Promise<ClientFrame> {
  const header = await bytesOf(peer, 2);
  const [first = 0, second = 0] = header;
  if ((second & 0x80) === 0) throw new Error("the frame is not masked");
  let length = second & 0x7f;
  if (length === 126) length = (await bytesOf(peer, 2)).readUInt16BE();
  else if (length === 127) length = Number((await bytesOf(peer, 8)).readBigUInt64BE());
  const mask = await bytesOf(peer, 4);
  const content = new Uint8Array(await bytesOf(peer, length));
  return { opcode: first & 0x0f, content: content.map((byte, i) => byte ^ (mask[i % 4] ?? 0)) };
}

async function bytesOf(peer: Peer, count: number): Promise<Buffer> {
  return Buffer.from(await peer.readBytes(count), "latin1");
}

/** Agrees to the WebSocket that is asked for; gives the request's head. */
export async function acceptWebSocket(peer: Peer, ...fields: string[]): Promise<string> {
  const head = await peer.readHead();
  const key = /^sec-websocket-key: (.*)\r$/im.exec(head)?.[1] ?? "";
  const lines = [
    "HTTP/1.1 101 Switching Protocols",
    "Upgrade: websocket",
    "Connection: Upgrade",
    `Sec-WebSocket-Accept: ${acceptFor(key)}`,
    ...fields,
    "",
    "",
  ];
  await peer.write(lines.join("\r\n"));
  return head;
}
