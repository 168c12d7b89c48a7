/** Hashes for choosing a server by the client's address. */
import { readNetwork } from "../exchange/ipv6_network.ts";
import { hash32, mixed32 } from "../hash32.ts";

const network = new Uint16Array(4);

/** 32 bits that stand for a client: for its address as an exchange has it, of IPv6 its network. */
export function clientHash(address: string): number {
  if (!address.includes(":")) return hash32(address);
  readNetwork(address, network);
  return hash32(network.join(":"));
}

/**
 * How well a server and a client go together (rendezvous hashing): each client goes
 * to the server with the highest affinity, so a server that comes or goes moves only
 * the clients that are its own.
 */
export function affinity(server: number, client: number): number {
  return mixed32(server ^ client);
}
