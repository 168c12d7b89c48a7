/**
 * The frames that a WebSocket's client sends (RFC 6455 §5.2): one frame a message,
 * masked. What a server sends is read in `websocket_reader.ts`.
 */

export const CONTINUATION = 0x0;
export const TEXT = 0x1;
export const BINARY = 0x2;
export const CLOSE = 0x8;
export const PING = 0x9;
export const PONG = 0xa;

/** Most bytes of content in a frame that is not a message's (§5.5). */
export const MAX_CONTROL_BYTES = 125;

export type Opcode = typeof TEXT | typeof BINARY | typeof CLOSE | typeof PING | typeof PONG;

const FINAL = 0x80;
const MASKED = 0x80;
const MASK_BYTES = 4;
const MAX_HEADER_BYTES = 10 + MASK_BYTES;

/** The bytes of a frame with `content`, which is left as it is. */
export function clientFrame(opcode: Opcode, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = content;
  const headerLength = (length <= 125 ? 2 : length <= 0xffff ? 4 : 10) + MASK_BYTES;
  // The content begins at a multiple of 4 in its buffer, so that it is masked 4 bytes at a time.
  const contentStart = (MAX_HEADER_BYTES + 3) & ~3;
  const buffer = new ArrayBuffer(contentStart + length);
  const frame = new Uint8Array(buffer, contentStart - headerLength);
  frame[0] = FINAL | opcode;
  writeLength(frame, length);
  frame.set(content, headerLength);
  const mask = nextMask();
  frame.set(new Uint8Array(mask.buffer, mask.byteOffset, MASK_BYTES), headerLength - MASK_BYTES);
  applyMask(buffer, contentStart, mask);
  return frame;
}

function writeLength(frame: Uint8Array<ArrayBuffer>, length: number): void {
  const view = new DataView(frame.buffer, frame.byteOffset);
  if (length <= 125) {
    frame[1] = MASKED | length;
  } else if (length <= 0xffff) {
    frame[1] = MASKED | 126;
    view.setUint16(2, length);
  } else {
    frame[1] = MASKED | 127;
    view.setBigUint64(2, BigInt(length));
  }
}

function applyMask(buffer: ArrayBuffer, start: number, mask: Uint32Array): void {
  const wordCount = (buffer.byteLength - start) >> 2;
  const words = new Uint32Array(buffer, start, wordCount);
  const word = mask[0]!; // it has exactly one
  for (let i = 0; i < wordCount; i++) words[i] = words[i]! ^ word; // i is within bounds
  const rest = new Uint8Array(buffer, start + wordCount * 4);
  const bytes = new Uint8Array(mask.buffer, mask.byteOffset, MASK_BYTES);
  for (let i = 0; i < rest.length; i++) rest[i] = rest[i]! ^ bytes[i]!; // 3 bytes at most
}

/** Random bytes are drawn for many masks at a time, which is far cheaper. */
const masks = new Uint32Array(1024);
let masksUsed = masks.length;

/** A mask that nobody can foresee (§5.3). */
function nextMask(): Uint32Array {
  if (masksUsed === masks.length) {
    crypto.getRandomValues(masks);
    masksUsed = 0;
  }
  return masks.subarray(masksUsed, ++masksUsed);
}

/** How one side says that it closes; `code` is null when it gives none. */
export interface Closing {
  readonly code: number | null;
  readonly reason: string;
}

/** The content of a Close frame (§5.5.1); a reason that is too long for it is cut. */
export function closeContent({ code, reason }: Closing): Uint8Array {
  if (code === null) return new Uint8Array();
  const content = new Uint8Array(MAX_CONTROL_BYTES);
  new DataView(content.buffer).setUint16(0, code);
  const { written } = new TextEncoder().encodeInto(reason, content.subarray(2));
  return content.subarray(0, 2 + written);
}

/**
 * Whether a Close frame may carry `code` (§7.4). Of the protocol's own range it is those
 * that are registered; 1005, 1006 and 1015 only ever stand for a frame that did not come.
 */
export function isCloseCode(code: number): boolean {
  return (code >= 3000 && code <= 4999) ||
    (code >= 1000 && code <= 1014 && code !== 1004 && code !== 1005 && code !== 1006);
}
