/** The sections of a backend's form that say how its servers are dealt with; few need them. */
import { SelectField, TextArea, TextField } from "../Field.tsx";
import { Section } from "../Section.tsx";
import { choicesOf } from "./field_choices.ts";
import { fieldLabel } from "./field_labels.ts";
import { fieldProps, type FormView, opens } from "./form_view.ts";
import { advancedSummary, healthCheckSummary, tlsSummary } from "./section_summaries.ts";
import { healthCheckDefaults } from "./server_fields.ts";

/** Servers that are spoken to by plain http have no certificates. */
export function TlsSection({ view }: { view: FormView }) {
  const { form, interactive } = view;
  const { verify, ca, server_name } = form.backend_tls;
  if (interactive && form.backend_protocol !== "https") return null;
  return (
    <Section title="Certificates" set={tlsSummary(form)} open={opens(view, "backend_tls")}>
      <SelectField
        {...fieldProps(view, "backend_tls.verify", verify)}
        label={fieldLabel("backend_tls.verify")}
        help="Without verification, anybody between Portico and a server can read and change calls."
        options={choicesOf("backend_tls.verify")}
      />
      <TextArea
        {...fieldProps(view, "backend_tls.ca", ca)}
        label={fieldLabel("backend_tls.ca")}
        help="In PEM: those of your own authority, or a server's self-signed one. The well-known authorities are trusted as well."
        placeholder="-----BEGIN CERTIFICATE-----"
        rows={4}
        spellcheck={false}
        autocomplete="off"
        mono
        optional
      />
      <TextField
        {...fieldProps(view, "backend_tls.server_name", server_name)}
        label={fieldLabel("backend_tls.server_name")}
        help="The name that the certificates must have. Empty means the server's host."
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        mono
        optional
      />
    </Section>
  );
}

const checkNumbers = [
  { name: "interval_seconds", unit: " in seconds", help: "From one check to the next." },
  { name: "timeout_seconds", unit: " in seconds", help: "Longest time until the answer is whole." },
  { name: "unhealthy_after", unit: "", help: "Failed checks in a row." },
  { name: "healthy_after", unit: "", help: "Passed checks in a row." },
] as const;

export function HealthCheckSection({ view }: { view: FormView }) {
  const { form } = view;
  const check = form.health_check;
  return (
    <Section
      title="Health checks"
      set={healthCheckSummary(form)}
      open={opens(view, "health_check")}
    >
      <p class="field-help">
        A server that cannot be reached is left out for a while, whether it is checked or not. One
        that fails its checks gets calls only when no other remains.
      </p>
      <div class="form-pair">
        <TextField
          {...fieldProps(view, "health_check.path", check.path)}
          label={fieldLabel("health_check.path")}
          help="What each server is asked for with GET. Empty means no checks."
          placeholder="/health"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          mono
          optional
        />
        <TextField
          {...fieldProps(view, "health_check.expected_statuses", check.expected_statuses)}
          label={fieldLabel("health_check.expected_statuses")}
          help="Separated by commas. Empty means 200 to 399."
          placeholder="200, 204"
          autocomplete="off"
          mono
          optional
        />
        {checkNumbers.map(({ name, unit, help }) => (
          <TextField
            key={name}
            {...fieldProps(view, `health_check.${name}`, check[name])}
            label={`${fieldLabel(`health_check.${name}`)}${unit}`}
            help={help}
            placeholder={healthCheckDefaults[name]}
            inputMode="decimal"
            autocomplete="off"
            mono
            optional
          />
        ))}
      </div>
    </Section>
  );
}

const timeouts = [
  { name: "connect_timeout_seconds", help: "Longest wait for a connection." },
  { name: "read_timeout_seconds", help: "Longest silence of the backend." },
  { name: "send_timeout_seconds", help: "Longest stall while a request is sent to it." },
  {
    name: "total_timeout_seconds",
    help: "Longest time for a whole call, the answer included. Not for WebSockets.",
  },
] as const;

export function AdvancedSection({ view }: { view: FormView }) {
  const { form, inherited } = view;
  return (
    <Section
      title="Advanced"
      set={advancedSummary(form)}
      open={opens(
        view,
        "balance_algorithm",
        ...timeouts.map(({ name }) => `settings.${name}`),
        "settings.body_max_bytes",
        "settings.disable_analytics",
      )}
    >
      <SelectField
        {...fieldProps(view, "balance_algorithm", form.balance_algorithm)}
        label={fieldLabel("balance_algorithm")}
        help="Which of several servers gets a call: the one that is least busy, each in turn, or always the same for the address that a call comes from."
        options={choicesOf("balance_algorithm")}
      />
      <div class="form-pair">
        {timeouts.map(({ name, help }) => (
          <TextField
            key={name}
            {...fieldProps(view, `settings.${name}`, form.settings[name])}
            label={`${fieldLabel(`settings.${name}`)} in seconds`}
            help={help}
            placeholder={`${inherited[name]} (inherited)`}
            inputMode="decimal"
            autocomplete="off"
            mono
            optional
          />
        ))}
        <TextField
          {...fieldProps(view, "settings.body_max_bytes", form.settings.body_max_bytes)}
          label={`${fieldLabel("settings.body_max_bytes")} in bytes`}
          help="A larger one is refused with 413."
          placeholder={`${inherited.body_max_bytes} (inherited)`}
          inputMode="numeric"
          autocomplete="off"
          mono
          optional
        />
      </div>
      <SelectField
        {...fieldProps(view, "settings.disable_analytics", form.settings.disable_analytics)}
        label={fieldLabel("settings.disable_analytics")}
        help="Whether calls can be found and are counted there. Limits hold in either case."
        options={[
          { value: "", label: `Inherit (${inherited.disable_analytics})` },
          ...choicesOf("settings.disable_analytics"),
        ]}
      />
    </Section>
  );
}
