/** The Host header of the requests to a backend. */
import { hostName } from "../exchange/host_name.ts";

/** @param host lower case, without a port; `authority`: host and port as the caller named them */
export type UpstreamHost = (host: string, authority: string) => string;

/**
 * The caller's own without `backend_host`. With a wildcard in it, what the frontend's
 * wildcard stood for is filled in: with the frontend `*.example.com` and the backend
 * `*.internal:8080`, `a.example.com` becomes `a.internal:8080`.
 */
export function upstreamHost(backendHost: string | null, frontendHost: string): UpstreamHost {
  if (backendHost === null || backendHost === "" || backendHost === "*") {
    return (_host, authority) => authority;
  }
  const wildcard = /^\*?\./.exec(backendHost);
  if (wildcard === null) return () => backendHost;
  const base = backendHost.slice(wildcard[0].length);
  return (host) => {
    const captured = capturedPart(host, hostName(frontendHost));
    return captured === "" ? base : `${captured}.${base}`;
  };
}

/** What the wildcard of a pattern stands for in `host`; an address has no part to be captured. */
function capturedPart(host: string, pattern: string): string {
  if (pattern === "*") return host.startsWith("[") ? "" : host;
  const suffix = pattern.replace(/^\*?\.?/, ".");
  return host.endsWith(suffix) ? host.slice(0, -suffix.length) : "";
}
