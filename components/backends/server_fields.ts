/**
 * How a backend's servers are verified and asked whether they are well, as its form
 * holds it, and from there to what `gateway/backends/` takes.
 */
import type { BackendInput } from "@/gateway/records/backend.ts";
import { type FieldTree, textAt, textsAt } from "../nested_fields.ts";
import { lineItems, numeric } from "./field_text.ts";

export interface TlsFields {
  /** "true" or "false" */
  readonly verify: string;
  /** Certificates in PEM. */
  readonly ca: string;
  readonly server_name: string;
}

export interface HealthCheckFields {
  /** Empty: no checks. */
  readonly path: string;
  readonly interval_seconds: string;
  readonly timeout_seconds: string;
  readonly healthy_after: string;
  readonly unhealthy_after: string;
  /** Parted by commas. */
  readonly expected_statuses: string;
}

/** What a check goes by where the form says nothing; a field's own default stands in the record. */
export const healthCheckDefaults = {
  interval_seconds: "10",
  timeout_seconds: "5",
  healthy_after: "2",
  unhealthy_after: "3",
} as const;

export function tlsFields(tls: BackendInput["backend_tls"] | undefined): TlsFields {
  return {
    verify: String(tls?.verify ?? true),
    ca: tls?.ca ?? "",
    server_name: tls?.server_name ?? "",
  };
}

export function healthCheckFields(
  check: BackendInput["health_check"] | undefined,
): HealthCheckFields {
  const text = (value: number | undefined) => value === undefined ? "" : String(value);
  return {
    path: check?.path ?? "",
    interval_seconds: text(check?.interval_seconds),
    timeout_seconds: text(check?.timeout_seconds),
    healthy_after: text(check?.healthy_after),
    unhealthy_after: text(check?.unhealthy_after),
    expected_statuses: check?.expected_statuses.join(", ") ?? "",
  };
}

export function readTls(tree: FieldTree): TlsFields {
  return {
    verify: textAt(tree, "verify", "true"),
    ca: textAt(tree, "ca"),
    server_name: textAt(tree, "server_name"),
  };
}

export function readHealthCheck(tree: FieldTree): HealthCheckFields {
  const statuses = textsAt(tree, "expected_statuses");
  return {
    path: textAt(tree, "path"),
    interval_seconds: textAt(tree, "interval_seconds"),
    timeout_seconds: textAt(tree, "timeout_seconds"),
    healthy_after: textAt(tree, "healthy_after"),
    unhealthy_after: textAt(tree, "unhealthy_after"),
    expected_statuses: statuses.join(", ") || textAt(tree, "expected_statuses"),
  };
}

/** Null when all is as usual. */
export function tlsInput({ verify, ca, server_name }: TlsFields): Record<string, unknown> | null {
  if (verify !== "false" && (ca + server_name).trim() === "") return null;
  return { verify: verify !== "false", ca, server_name };
}

/** Null without a path: no checks. */
export function healthCheckInput(fields: HealthCheckFields): Record<string, unknown> | null {
  if (Object.values(fields).every((text) => text.trim() === "")) return null;
  return {
    path: fields.path,
    interval_seconds: numeric(fields.interval_seconds),
    timeout_seconds: numeric(fields.timeout_seconds),
    healthy_after: numeric(fields.healthy_after),
    unhealthy_after: numeric(fields.unhealthy_after),
    expected_statuses: lineItems(fields.expected_statuses).map(numeric),
  };
}
