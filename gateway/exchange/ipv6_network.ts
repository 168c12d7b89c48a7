/**
 * Which network an IPv6 address is in: its first 64 bits. The smallest customer holds
 * that many addresses and chooses the rest itself, anew every day (RFC 8981), so whoever
 * counts or remembers callers goes by these.
 */

const COLON = 0x3a;
/** Of an IPv6 address, 16 bits each. */
const GROUPS = 8;

/**
 * Puts the first four of an IPv6 address's eight groups into `groups`. Takes an address
 * as an exchange has it: in lower case, without a dotted part.
 */
export function readNetwork(address: string, groups: Uint16Array): void {
  groups.fill(0);
  let group = 0;
  for (let at = 0, place = 0; at <= address.length && place < groups.length; at++) {
    const unit = at < address.length ? address.charCodeAt(at) : COLON;
    if (unit !== COLON) {
      group = group << 4 | hexDigit(unit);
      continue;
    }
    groups[place++] = group;
    group = 0;
    if (address.charCodeAt(at + 1) === COLON) {
      at++;
      place = GROUPS - groupsFrom(address, at + 1);
    }
  }
}

/** Of the eight groups `::` leaves out as many as are missing; how many stand behind it. */
function groupsFrom(address: string, start: number): number {
  if (start === address.length) return 0;
  let count = 1;
  for (let at = start; at < address.length; at++) {
    if (address.charCodeAt(at) === COLON) count++;
  }
  return count;
}

function hexDigit(unit: number): number {
  return unit <= 0x39 ? unit - 0x30 : unit - 0x57; // "0" to "9", "a" to "f"
}
