/**
 * Who is asking: address, scheme and host of the caller, with the forwarding
 * headers of trusted proxies taken into account and everybody else's ignored.
 */
import ipaddr from "ipaddr.js";
import { isAuthority } from "./host_name.ts";
import { isIpAddress } from "./ip_address.ts";

/** What the pages and the REST API need to know of their visitor. */
export interface ClientFacts {
  /** IP address, without brackets; IPv4-mapped IPv6 is shown as IPv4. */
  readonly address: string;
  readonly scheme: "http" | "https";
  /** Host and port as the visitor named them. */
  readonly host: string;
  /** Scheme and host for links to this server, without a trailing slash. */
  readonly baseUrl: string;
  readonly requestId: string;
  /** Somebody at the machine itself: a loopback peer that sent no forwarding header. */
  readonly direct: boolean;
}

/** A network address and how many of its leading bits count. */
export type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses addresses and CIDR ranges that the schema has checked. */
export function compileRanges(ranges: readonly string[]): readonly Range[] {
  return ranges.map((range) => {
    const [address, bits] = range.includes("/")
      ? ipaddr.parseCIDR(range)
      : [ipaddr.parse(range), 128] as const;
    if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()) {
      return [address.toIPv4Address(), Math.max(0, bits - 96)];
    }
    return [address, address instanceof ipaddr.IPv4 ? Math.min(bits, 32) : bits];
  });
}

/** Whether `address` is in one of the ranges; an address that is none is in none. */
export function inRanges(address: string, ranges: readonly Range[]): boolean {
  if (ranges.length === 0 || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some(([network, bits]) =>
    parsed.kind() === network.kind() && parsed.match(network, bits)
  );
}

/** What is taken of where a request comes from, and of how callers see this server. */
export interface Entrance {
  readonly trustedProxies: readonly Range[];
  /** Whether a trusted proxy says in `X-Forwarded-Host` which host is called. */
  readonly takesForwardedHost: boolean;
  /** What callers see in place of a connection's scheme and port, whatever a proxy says. */
  readonly seenAs: Readonly<Record<"http" | "https", SeenAs>>;
}

export interface SeenAs {
  /** Null: as it is, or as a trusted proxy says. */
  readonly scheme: "http" | "https" | null;
  readonly port: string | null;
}

/** Where a call comes from, by the forwarding headers that are believed. */
export interface Forwarding {
  readonly address: string;
  readonly scheme: "http" | "https";
  /** Null: what the host says, or the usual one. */
  readonly port: string | null;
  /** Host, and perhaps port, that was called; null: what the request says. */
  readonly authority: string | null;
  /** Value for `X-Forwarded-For` towards the upstream. */
  readonly chain: string;
  /** The request id of a trusted proxy, if it sent a usable one. */
  readonly requestId: string | null;
}

const REQUEST_ID = /^[A-Za-z0-9._~:+/=-]{1,128}$/;

/**
 * Works out the real client. Only a peer in `trusted` is believed; its
 * `X-Forwarded-For` is read from the right, past further trusted proxies, so a
 * caller cannot choose an address by sending the header itself. An item that is no
 * address ends the reading: what stands to the left of it may be the caller's own.
 * @param scheme the connection's
 */
export function readForwarding(
  headers: Headers,
  peer: string,
  scheme: "http" | "https",
  entrance: Entrance,
): Forwarding {
  const address = plainAddress(peer);
  const { trustedProxies: trusted, takesForwardedHost } = entrance;
  const seenAs = entrance.seenAs[scheme];
  if (trusted.length === 0 || !inRanges(address, trusted)) {
    return {
      address,
      scheme: seenAs.scheme ?? scheme,
      port: seenAs.port,
      authority: null,
      chain: address,
      requestId: null,
    };
  }
  const items = (headers.get("x-forwarded-for") ?? "").split(",").map(forwardedAddress);
  const chain = items.slice(items.findLastIndex((item) => !isIpAddress(item)) + 1);
  const proto = headers.get("x-forwarded-proto")?.toLowerCase();
  const port = headers.get("x-forwarded-port");
  const requestId = headers.get("x-request-id");
  return {
    address: chain.findLast((item) => !inRanges(item, trusted)) ?? chain[0] ?? address,
    scheme: seenAs.scheme ?? (proto === "http" || proto === "https" ? proto : scheme),
    port: seenAs.port ?? (port !== null && /^\d{1,5}$/.test(port) ? port : null),
    authority: takesForwardedHost ? forwardedHost(headers.get("x-forwarded-host")) : null,
    chain: [...chain, address].join(", "),
    requestId: requestId !== null && REQUEST_ID.test(requestId) ? requestId : null,
  };
}

/** Of several the last: it is what the nearest proxy was asked for. */
function forwardedHost(value: string | null): string | null {
  const host = value?.split(",").at(-1)?.trim() ?? "";
  return isAuthority(host) ? host : null;
}

/** An item of `X-Forwarded-For`; some proxies add the port. */
function forwardedAddress(item: string): string {
  const address = item.trim();
  const withPort = /^(\[[^\]]*\]|[\d.]+):\d{1,5}$/.exec(address);
  return plainAddress(withPort?.[1] ?? address);
}

/** How a socket for both IP versions spells the address of an IPv4 client (RFC 4291 §2.5.5.2). */
const MAPPED_IPV4 =
  /^::ffff:((?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3})$/;

/** Without brackets and zone; `::ffff:1.2.3.4` as `1.2.3.4`. */
export function plainAddress(address: string): string {
  if (!address.includes(":")) return address;
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped; // nearly every call; spares parsing
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}

/** By these a proxy gives itself away; so it does by anything that begins with `x-forwarded-`. */
const FORWARDING_HEADERS = ["forwarded", "x-real-ip", "via"];

/** Whether a host (lower case, no port) is an address or a name that is this machine's own. */
export function isMachineName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") ||
    ipaddr.isValid(plainAddress(host));
}

/**
 * Whether the peer is this machine and no proxy stands in between. `host` is the
 * one it asked for, in lower case and without a port: a page of another site whose
 * name is made to lead here (DNS rebinding) asks for that name, so that only
 * `localhost` and addresses count.
 */
export function isDirect(headers: Headers, peer: string, host: string): boolean {
  const address = plainAddress(peer);
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback" &&
    isMachineName(host) &&
    !FORWARDING_HEADERS.some((name) => headers.has(name)) &&
    ![...headers.keys()].some((name) => name.startsWith("x-forwarded-"));
}
