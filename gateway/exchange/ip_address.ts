/** What is taken for an IP address where somebody writes one. */
import ipaddr from "ipaddr.js";

/**
 * IPv4 in four decimal numbers, or IPv6. What old parsers take besides, such as `10.1`,
 * `0x7f.1` and `010.0.0.1`, is one address to some programs and another to others.
 */
export function isIpAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** Such an address with a number of bits behind it: `10.0.0.0/8`. */
export function isIpRange(text: string): boolean {
  const [address = ""] = text.split("/");
  return isIpAddress(address) && ipaddr.isValidCIDR(text);
}
