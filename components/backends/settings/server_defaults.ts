/** What a backend that sets nothing itself is treated by, in words. Of the server alone. */
import { serverDefaults } from "@/gateway/compile/settings.ts";
import type { Configuration } from "@/gateway/config/configuration.ts";
import { type Inherited, inheritedBelow } from "./inherited.ts";
import { settingsForm } from "./settings_record.ts";

export function inheritedSettings(config: Configuration): Inherited {
  const defaults = config.default_api_backend_settings;
  const { upstream, client, https } = serverDefaults(config);
  const number = (value: number | null) => [value === null ? "no limit" : String(value)];
  return inheritedBelow(
    // Without a mode the default limits hold: there is nothing that they could be inherited from.
    settingsForm({ ...defaults, rate_limit_mode: defaults.rate_limit_mode ?? "custom" }),
    {
      require_https: [https ? "required" : "optional"],
      connect_timeout_seconds: number(upstream.connect_timeout_seconds),
      read_timeout_seconds: number(upstream.read_timeout_seconds),
      send_timeout_seconds: number(upstream.send_timeout_seconds),
      total_timeout_seconds: number(upstream.total_timeout_seconds),
      body_max_bytes: number(client.body_max_bytes),
    },
  );
}
