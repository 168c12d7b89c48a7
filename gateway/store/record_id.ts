/**
 * Ids of stored records: UUID version 7 (RFC 9562 §5.7), so that the order of
 * ids is the order of creation. Within one millisecond a counter in `rand_a`
 * keeps the order (§6.2, method 1).
 */

const RECORD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const COUNTER_MAX = 0xfff;

let lastTime = 0;
let counter = 0;

/** A new id, greater than every one this process gave out before. */
export function newRecordId(now = Date.now()): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  if (now > lastTime) {
    lastTime = now;
    // The upper half of the counter is left free to count in.
    counter = (((random[8] ?? 0) << 8) | (random[9] ?? 0)) & (COUNTER_MAX >> 1);
  } else if (counter < COUNTER_MAX) {
    counter++;
  } else {
    lastTime++;
    counter = 0;
  }
  const time = hex(lastTime, 12);
  const variant = hex(0x80 | ((random[0] ?? 0) & 0x3f), 2) + hex(random[1] ?? 0, 2);
  const node = [...random.subarray(2, 8)].map((byte) => hex(byte, 2)).join("");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-${variant}-${node}`;
}

/** Whether `text` could be an id at all; anything else never reaches the store. */
export function isRecordId(text: string): boolean {
  return RECORD_ID.test(text);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
