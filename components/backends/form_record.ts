/** Between a backend's form and the record that `gateway/backends/` keeps. Of the server alone. */
import type { BackendInput } from "@/gateway/records/backend.ts";
import { type BackendForm, type SubUrlFields, usualPort } from "./backend_form.ts";
import { inheritable, numeric } from "../fields/field_text.ts";
import {
  healthCheckFields,
  type HealthCheckForm,
  tlsFields,
  type TlsForm,
} from "./server_fields.ts";
import { isSet } from "../fields/fields_form.ts";
import { fieldsForm, fieldsInput } from "../fields/fields_record.ts";
import {
  backendSettingsInput,
  settingsForm,
  subSettingsInput,
} from "./settings/settings_record.ts";

/** The form of a backend as it is stored. */
export function backendForm(backend: BackendInput): BackendForm {
  return {
    name: backend.name,
    backend_protocol: backend.backend_protocol,
    frontend_host: backend.frontend_host,
    backend_host: backend.backend_host ?? "",
    balance_algorithm: backend.balance_algorithm,
    servers: backend.servers.map(({ host, port }) => ({ host, port: String(port) })),
    backend_tls: fieldsForm(tlsFields, { verify: true, ...backend.backend_tls }),
    health_check: fieldsForm(healthCheckFields, backend.health_check ?? {}),
    url_matches: backend.url_matches,
    settings: settingsForm(backend.settings),
    // Absent in records from before there were these.
    sub_settings: (backend.sub_settings ?? []).map(({ http_method, regex, settings }) => ({
      http_method,
      regex,
      settings: settingsForm(settings),
      open: "",
    })),
    rewrites: backend.rewrites ?? [],
  };
}

/** What the REST API would be sent as JSON. Nothing is checked: the schema does that. */
export function backendRecord(form: BackendForm): Record<string, unknown> {
  return {
    ...form,
    frontend_host: inheritable(form.frontend_host),
    backend_host: inheritable(form.backend_host),
    servers: form.servers.map(({ host, port }) => ({
      host,
      port: numeric(port) ?? usualPort(form.backend_protocol),
    })),
    backend_tls: tlsInput(form.backend_tls),
    health_check: healthCheckInput(form.health_check),
    settings: backendSettingsInput(form.settings),
    sub_settings: form.sub_settings.map(subUrlInput),
  };
}

function subUrlInput({ http_method, regex, settings }: SubUrlFields): Record<string, unknown> {
  return { http_method, regex, settings: subSettingsInput(settings) };
}

/** Null when all is as usual. */
function tlsInput(form: TlsForm): Record<string, unknown> | null {
  const { verify, ca, server_name } = form;
  if (verify !== "false" && !isSet(ca + server_name)) return null;
  return fieldsInput(tlsFields, form);
}

/** Null where nothing is said. */
function healthCheckInput(form: HealthCheckForm): Record<string, unknown> | null {
  if (!Object.values(form).some(isSet)) return null;
  return fieldsInput(healthCheckFields, form);
}
