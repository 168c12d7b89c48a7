/**
 * Opens the sockets the configuration names and serves them with one handler.
 * An address that is taken or not ours is an error that says which and what to do.
 */
import type { HttpsCertificates } from "../process/certificates.ts";
import type { Logger } from "../process/logger.ts";
import { openBodies } from "../exchange/open_bodies.ts";
import { CertificatesByName } from "./certificates_by_name.ts";
import { LastingServer } from "./lasting_server.ts";
import { serveByName } from "./serve_by_name.ts";

export type ServeHandler = (
  request: Request,
  info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  scheme: "http" | "https",
) => Response | Promise<Response>;

/** Those of the configuration, but for what stood in place of a 0. */
export interface Ports {
  readonly http: number;
  readonly https: number | null;
}

/** An open socket. */
export interface Address {
  readonly scheme: "http" | "https";
  readonly hostname: string;
  readonly port: number;
}

export interface ListenPlan {
  readonly addresses: readonly string[];
  readonly httpPort: number;
  /** Null: no HTTPS. */
  readonly https: { readonly port: number; readonly certificates: HttpsCertificates } | null;
  /** Closes what carries no call, on every socket. */
  readonly shed: () => Promise<void>;
  readonly log: Logger;
}

export interface Listener {
  readonly scheme: "http" | "https";
  readonly address: Deno.NetAddr;
  readonly server: LastingServer;
}

/** A socket that cannot be opened. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/**
 * Makes sure that nobody else has the ports (0 and null: none to have): isolates
 * share them among each other (SO_REUSEPORT), and would share them with a second
 * Portico without a word. Throws a `ListenError`.
 */
export function claimPorts({ addresses, ports }: {
  readonly addresses: readonly string[];
  readonly ports: Ports;
}): void {
  for (const scheme of ["http", "https"] as const) {
    const port = ports[scheme];
    if (port === null || port === 0) continue;
    for (const hostname of hostNames(addresses)) claim(hostname, port, scheme);
  }
}

function claim(hostname: string, port: number, scheme: "http" | "https"): void {
  try {
    Deno.listen({ hostname, port }).close();
  } catch (error) {
    if (isWithoutIpv6(hostname, error)) claim(ANY_V4, port, scheme);
    else throw listenError(hostname, port, scheme, error);
  }
}

/** Listens on every address of the plan; throws a `ListenError` and closes all if one fails. */
export async function openListeners(plan: ListenPlan, handle: ServeHandler): Promise<Listener[]> {
  const listeners: Listener[] = [];
  const open = (scheme: "http" | "https", port: number, tls: HttpsCertificates | null) => {
    let chosen = port;
    for (const hostname of hostNames(plan.addresses)) {
      const { shed, log } = plan;
      const listener = listen({ scheme, hostname, port: chosen, tls, handle, shed, log });
      listeners.push(listener);
      // With port 0 the first address picks the port, and the others share it.
      chosen = listener.address.port;
    }
  };
  try {
    open("http", plan.httpPort, null);
    if (plan.https !== null) open("https", plan.https.port, plan.https.certificates);
    return listeners;
  } catch (error) {
    await Promise.all(listeners.map(({ server }) => server.shutdown()));
    throw error;
  }
}

const ANY_V4 = "0.0.0.0";
const ANY_V6 = "::";

/**
 * Bare addresses, each once; the IPv6 wildcard takes IPv4 connections as
 * well, so it stands for both.
 */
function hostNames(addresses: readonly string[]): string[] {
  const names = new Set(
    addresses.map((address) => address === "*" ? ANY_V4 : address.replace(/^\[(.*)\]$/, "$1")),
  );
  if (names.has(ANY_V6)) names.delete(ANY_V4);
  return [...names];
}

interface Socket {
  readonly scheme: "http" | "https";
  readonly hostname: string;
  readonly port: number;
  readonly tls: HttpsCertificates | null;
  readonly handle: ServeHandler;
  readonly shed: () => Promise<void>;
  readonly log: Logger;
}

function listen(socket: Socket): Listener {
  const { scheme, hostname, port } = socket;
  try {
    const server = serve(socket);
    return { scheme, address: server.address, server };
  } catch (error) {
    if (isWithoutIpv6(hostname, error)) return listen({ ...socket, hostname: ANY_V4 });
    throw listenError(hostname, port, scheme, error);
  }
}

function serve({ scheme, hostname, port, tls, handle, shed, log }: Socket): LastingServer {
  const answer: Deno.ServeHandler<Deno.NetAddr> = (request, info) => handle(request, info, scheme);
  const open = (port: number) => {
    const options = {
      hostname,
      port,
      reusePort: true,
      onListen: () => {},
      // The handler never throws. This is a body that failed on its way: the answer is
      // cut off by the server, and the call is in the log already.
      onError: () => new Response(null, { status: 500 }),
    };
    if (tls === null || tls.byHost.length === 0) {
      return Deno.serve({ ...options, ...tls?.fallback }, answer);
    }
    // What a socket keeps of names is gone with it, and another one begins anew.
    const certificates = new CertificatesByName(tls, () => {
      log.warn("too many host names were asked for by TLS: connections without a call are closed");
      void shed();
    });
    return serveByName(options, certificates, answer);
  };
  return new LastingServer({
    open,
    port,
    bodies: openBodies,
    onFailure: (error) =>
      log.error("a listening socket failed and is opened again", { hostname, port, error }),
  });
}

/** A machine without IPv6 still serves IPv4. */
function isWithoutIpv6(hostname: string, error: unknown): boolean {
  return hostname === ANY_V6 && !(error instanceof Deno.errors.AddrInUse) &&
    !(error instanceof Deno.errors.PermissionDenied);
}

function listenError(
  hostname: string,
  port: number,
  scheme: "http" | "https",
  error: unknown,
): ListenError {
  return new ListenError(`cannot listen on ${hostname} port ${port}: ${wayOut(error, scheme)}`);
}

function wayOut(error: unknown, scheme: "http" | "https"): string {
  const key = `${scheme}_port (PORTICO_${scheme.toUpperCase()}_PORT)`;
  if (error instanceof Deno.errors.AddrInUse) {
    return `another program is using it; stop that one or choose another ${key}`;
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return `the system does not allow it; ports below 1024 need a right of their own, or choose another ${key}`;
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return "this machine has no such address; see listen.addresses";
  }
  return error instanceof Error ? error.message : String(error);
}
