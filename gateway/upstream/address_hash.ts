/**
 * Hashes for choosing a server by the client's address: the same in every isolate
 * and after every restart.
 */
import ipaddr from "ipaddr.js";

/** 32 bits that stand for `text` (FNV-1a, then mixed). */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return mixed(hash);
}

/**
 * 32 bits that stand for a client. Of an IPv6 address the first 64 bits count: the
 * rest a client chooses itself, and anew every day (RFC 8981).
 */
export function clientHash(address: string): number {
  if (!address.includes(":") || !ipaddr.IPv6.isValid(address)) return hash32(address);
  return hash32(ipaddr.IPv6.parse(address).parts.slice(0, 4).join(":"));
}

/**
 * How well a server and a client go together (rendezvous hashing): each client goes
 * to the server with the highest affinity, so a server that comes or goes moves only
 * the clients that are its own.
 */
export function affinity(server: number, client: number): number {
  return mixed(server ^ client);
}

/** Spreads the difference of one bit over all 32 (the end of MurmurHash3). */
function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
