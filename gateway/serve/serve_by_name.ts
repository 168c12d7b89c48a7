/**
 * Serves HTTPS with a certificate for each name. `Deno.serve` takes one certificate, so
 * this goes by what it is made of: a TLS listener that asks for a certificate, and the
 * server on a listener. Neither is public in Deno 2.9.6, which the project is pinned to.
 */
import type { Certificate } from "../process/certificates.ts";
import type { HttpServer } from "./lasting_server.ts";

/** What this needs of Deno's inside. */
interface DenoInside {
  /** Names the option of `listenTls` that is a function from name to certificate. */
  readonly resolverSymbol: symbol;
  serveHttpOnListener(
    listener: Deno.TlsListener,
    signal: AbortSignal,
    handler: Deno.ServeHandler<Deno.NetAddr>,
    onError: (error: unknown) => Response,
    onListen: () => void,
  ): HttpServer;
}

export interface ServeByNameOptions {
  readonly hostname: string;
  readonly port: number;
  readonly reusePort: boolean;
  readonly onListen: () => void;
  readonly onError: (error: unknown) => Response;
}

/** Throws when the socket cannot be opened, or this Deno cannot do it. */
export function serveByName(
  { hostname, port, reusePort, onListen, onError }: ServeByNameOptions,
  certificates: { choose(name: string): Certificate },
  handler: Deno.ServeHandler<Deno.NetAddr>,
): HttpServer {
  const { resolverSymbol, serveHttpOnListener } = denoInside();
  const listener = Deno.listenTls(
    {
      hostname,
      port,
      reusePort,
      alpnProtocols: ["h2", "http/1.1"], // as `Deno.serve` has them
      // deno-lint-ignore require-await -- a promise is expected
      [resolverSymbol]: async (name: string | undefined) => certificates.choose(name ?? ""),
    } as unknown as Deno.ListenTlsOptions & Deno.TlsCertifiedKeyPem,
  );
  return serveHttpOnListener(listener, new AbortController().signal, handler, onError, onListen);
}

/** The way to it that Deno's own library has. */
function denoInside(): DenoInside {
  const { internal } = Deno as unknown as { internal?: symbol };
  const inside = internal === undefined
    ? undefined
    : (Deno as unknown as Record<symbol, Partial<DenoInside> | undefined>)[internal];
  if (
    typeof inside?.resolverSymbol !== "symbol" || typeof inside.serveHttpOnListener !== "function"
  ) {
    throw new Error(
      `Deno ${Deno.version.deno} cannot choose a certificate by name; run Deno 2.9.6, or give all ` +
        "hosts that have an ssl_cert the same one",
    );
  }
  return inside as DenoInside; // both are there
}
