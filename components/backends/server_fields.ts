/** How a backend's servers are verified and asked whether they are well: the fields of the form. */
import { block, lines, number, text, yesNo } from "../fields/field_kinds.ts";
import type { FieldsForm } from "../fields/fields_form.ts";

export const tlsFields = {
  verify: yesNo(
    {
      label: "Certificates of the servers",
      help: "Without verification, anybody between Portico and a server can read and change calls.",
      builtIn: "verified",
      inherits: false,
    },
    ["true", "Verified", "verified"],
    ["false", "Not verified", "not verified"],
  ),
  server_name: text({
    label: "Server name",
    help: "The name that the certificates must have.",
    maxLength: 255,
    builtIn: "the server's host",
  }),
  ca: block({
    label: "Certificates to trust",
    help: "In PEM: those of your own authority, or a server's self-signed one, besides the " +
      "well-known ones.",
    builtIn: "-----BEGIN CERTIFICATE-----",
  }),
} as const;

export type TlsForm = FieldsForm<typeof tlsFields>;

export const healthCheckFields = {
  path: text({
    label: "Path",
    help: "What each server is asked for with GET, such as /health.",
    maxLength: 1024,
    builtIn: "no checks",
  }),
  expected_statuses: lines({
    label: "Expected statuses",
    help: "Statuses that pass, separated by commas.",
    item: "Expected status",
    builtIn: "200 to 399",
    numbers: true,
  }),
  interval_seconds: number({
    label: "Interval",
    help: "From one check to the next.",
    unit: "seconds",
    builtIn: "10",
  }),
  timeout_seconds: number({
    label: "Timeout",
    help: "Longest time until the answer is whole.",
    unit: "seconds",
    builtIn: "5",
  }),
  unhealthy_after: number({
    label: "Unhealthy after",
    help: "Failed checks in a row.",
    builtIn: "3",
  }),
  healthy_after: number({
    label: "Healthy after",
    help: "Passed checks in a row.",
    builtIn: "2",
  }),
} as const;

export type HealthCheckForm = FieldsForm<typeof healthCheckFields>;
