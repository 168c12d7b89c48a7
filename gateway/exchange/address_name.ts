/** What limits by address count under, be it of sign-ups or of failed passwords. */
import ipaddr from "ipaddr.js";

/**
 * The name an address is counted under: an IPv6 address counts with its whole
 * /64, which is what one subscriber has at hand.
 */
export function addressName(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return `address ${address}`;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `address ${parsed.toString()}`;
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16)).join(":");
  return `address ${network}::/64`;
}
