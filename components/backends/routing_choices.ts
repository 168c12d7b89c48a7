/** What the fields of a backend's routing offer that hold one of a few values. */

export const protocols = [
  { value: "http", label: "http" },
  { value: "https", label: "https" },
] as const;

export const balancing = [
  { value: "least_conn", label: "Least connections" },
  { value: "round_robin", label: "Round robin" },
  { value: "ip_hash", label: "Source IP address" },
] as const;

export const matcherTypes = [
  { value: "route", label: "Route" },
  { value: "regex", label: "Regex" },
] as const;

export const methods = [
  { value: "any", label: "Any" },
  ...["GET", "POST", "PUT", "DELETE", "HEAD", "TRACE", "OPTIONS", "CONNECT", "PATCH"]
    .map((method) => ({ value: method, label: method })),
] as const;
