/** The sections of a backend's form that say where its servers are and how they are dealt with. */
import { SelectField, TextField } from "../Field.tsx";
import { fieldProps, opens } from "../fields/field_view.ts";
import { FieldGroup } from "../fields/FieldGroup.tsx";
import { Rows } from "../fields/Rows.tsx";
import { Section } from "../Section.tsx";
import { usualPort } from "./backend_form.ts";
import { fieldLabel } from "./field_labels.ts";
import type { FormView } from "./form_view.ts";
import { balancing, protocols } from "./routing_choices.ts";
import { healthCheckSummary, serversSummary, tlsSummary } from "./section_summaries.ts";
import { healthCheckFields, tlsFields } from "./server_fields.ts";

export function ServersSection({ view }: { view: FormView }) {
  const { form, interactive } = view;
  const { backend_protocol, balance_algorithm, servers } = form;
  const port = usualPort(backend_protocol);
  return (
    <Section title="Backend servers" set={serversSummary(form)} open>
      <SelectField
        {...fieldProps(view, "backend_protocol", backend_protocol)}
        label={fieldLabel("backend_protocol")}
        help="How Portico talks to the servers."
        options={protocols}
      />
      <Rows view={view} list="servers" rows={servers} noun="server" atLeastOne>
        {(row, path) => (
          <>
            <TextField
              {...fieldProps(view, `${path}.host`, row.host)}
              label={fieldLabel(`${path}.host`)}
              placeholder="api.internal"
              mono
              required
            />
            <TextField
              {...fieldProps(view, `${path}.port`, row.port)}
              label={fieldLabel(`${path}.port`)}
              placeholder={String(port)}
              inputMode="numeric"
              mono
            />
          </>
        )}
      </Rows>
      <p class="muted small">Without a port it is {port}, as usual with {backend_protocol}.</p>
      {(servers.length > 1 || balance_algorithm !== balancing[0].value || !interactive) && (
        <SelectField
          {...fieldProps(view, "balance_algorithm", balance_algorithm)}
          label={fieldLabel("balance_algorithm")}
          help="Which of several servers gets a call: the one that is least busy, each in turn, or always the same for the address that a call comes from."
          options={balancing}
        />
      )}
    </Section>
  );
}

/** Servers that are spoken to by plain http have no certificates. */
export function TlsSection({ view }: { view: FormView }) {
  const { form, interactive } = view;
  const path = "backend_tls";
  if (interactive && form.backend_protocol !== "https") return null;
  return (
    <Section title="Certificates" set={tlsSummary(form)} open={opens(view, [path])}>
      <FieldGroup
        view={view}
        path={path}
        table={tlsFields}
        form={form.backend_tls}
        inherited={null}
      />
    </Section>
  );
}

export function HealthCheckSection({ view }: { view: FormView }) {
  const { form } = view;
  const path = "health_check";
  return (
    <Section title="Health checks" set={healthCheckSummary(form)} open={opens(view, [path])}>
      <p class="field-help">
        A server that cannot be reached is left out for a while, whether it is checked or not. One
        that fails its checks gets calls only when no other remains.
      </p>
      <FieldGroup
        view={view}
        path={path}
        table={healthCheckFields}
        form={form.health_check}
        inherited={null}
      />
    </Section>
  );
}
