/** What the fields of a backend that hold one of a few values offer, in the form's words. */

interface Choice {
  /** As a form sends it, and as it is stored. */
  readonly value: string;
  readonly label: string;
}

const choices = {
  balance_algorithm: [
    { value: "least_conn", label: "Least connections" },
    { value: "round_robin", label: "Round robin" },
    { value: "ip_hash", label: "Source IP address" },
  ],
  "backend_tls.verify": [
    { value: "true", label: "Verified" },
    { value: "false", label: "Not verified" },
  ],
  "settings.disable_api_key": [
    { value: "false", label: "Required" },
    { value: "true", label: "Not required" },
  ],
  "settings.require_https": [
    { value: "required_return_error", label: "Required" },
    { value: "optional", label: "Optional" },
  ],
  "settings.disable_analytics": [
    { value: "false", label: "Calls are recorded" },
    { value: "true", label: "Calls are left out" },
  ],
  "settings.rate_limit_mode": [
    { value: "unlimited", label: "Unlimited" },
    { value: "custom", label: "Custom limits" },
  ],
  "settings.rate_limits.limit_by": [
    { value: "api_key", label: "API key" },
    { value: "ip", label: "IP address" },
  ],
  "settings.anonymous_rate_limit_behavior": [
    { value: "ip_fallback", label: "All limits, by IP address" },
    { value: "ip_only", label: "Limits by IP address alone" },
  ],
  "settings.authenticated_rate_limit_behavior": [
    { value: "all", label: "All limits" },
    { value: "api_key_only", label: "Limits by API key alone" },
  ],
} as const satisfies Record<string, readonly Choice[]>;

export function choicesOf(field: keyof typeof choices): readonly Choice[] {
  return choices[field];
}

/** The label of a field's value; undefined for a field that offers none. */
export function choiceLabel(field: string, value: string): string | undefined {
  const offered: Record<string, readonly Choice[]> = choices;
  if (!Object.hasOwn(offered, field)) return undefined;
  return offered[field]?.find((choice) => choice.value === value)?.label;
}
