/** What a backend says about its servers, as the engine that carries its calls wants it. */
import type { BackendInput } from "../records/backend.ts";
import type { UpstreamGroupOptions } from "../upstream/group.ts";
import type { HealthCheckOptions } from "../upstream/health_check.ts";
import type { TlsOptions } from "../upstream/transport.ts";

/** The part of a backend that decides which connections can be shared. */
export type UpstreamSpec = Pick<
  UpstreamGroupOptions,
  "servers" | "algorithm" | "tls" | "dnsMaxAge" | "healthCheck"
>;

/** `dnsMaxAge`: how long the addresses of a name hold, in ms. */
export function upstreamSpec(
  source: BackendInput,
  dnsMaxAge: number,
): UpstreamSpec {
  return {
    servers: source.servers,
    algorithm: source.balance_algorithm,
    tls: source.backend_protocol === "https" ? tlsOptions(source.backend_tls) : null,
    dnsMaxAge,
    healthCheck: healthCheckOptions(source),
  };
}

function tlsOptions(choice: BackendInput["backend_tls"]): TlsOptions {
  return {
    verify: choice?.verify ?? true,
    ca: choice?.ca ?? null,
    serverName: choice?.server_name || null,
  };
}

function healthCheckOptions(
  { health_check: check, backend_host, frontend_host }: BackendInput,
): HealthCheckOptions | null {
  // Not `=== null`: a version that was published before there were checks has none.
  if (check == null) return null;
  return {
    path: check.path,
    host: [backend_host, frontend_host].find(isOneHost) ?? null,
    interval: check.interval_seconds * 1000,
    timeout: check.timeout_seconds * 1000,
    healthyAfter: check.healthy_after,
    unhealthyAfter: check.unhealthy_after,
    expectedStatuses: check.expected_statuses,
  };
}

/** Whether a backend's or frontend's host names one host, not a pattern. */
function isOneHost(host: string | null): host is string {
  return host !== null && host !== "" && !/^[*.]/.test(host);
}
