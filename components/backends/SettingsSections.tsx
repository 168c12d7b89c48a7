/** The sections of a backend's form that say how calls are treated; few backends need them. */
import { Checkbox, SelectField, TextArea, TextField } from "../Field.tsx";
import { Section } from "../Section.tsx";
import { durationUnits, type HeaderFields } from "./backend_form.ts";
import { choicesOf } from "./field_choices.ts";
import { fieldLabel } from "./field_labels.ts";
import type { RowList } from "./form_rows.ts";
import { fieldProps, type FormView, opens } from "./form_view.ts";
import { Rows } from "./Rows.tsx";
import { accessSummary, headersSummary, rateLimitSummary } from "./section_summaries.ts";

export function AccessSection({ view }: { view: FormView }) {
  const { form: { settings }, inherited } = view;
  const names = ["disable_api_key", "required_roles", "require_https", "allowed_ips"];
  return (
    <Section
      title="Keys and access"
      set={accessSummary(view.form, inherited)}
      open={opens(view, ...names.map((name) => `settings.${name}`))}
    >
      <SelectField
        {...fieldProps(view, "settings.disable_api_key", settings.disable_api_key)}
        label={fieldLabel("settings.disable_api_key")}
        help="Whether a call needs one. A key that is sent must be good in either case."
        options={[
          { value: "", label: `Inherit (${inherited.disable_api_key})` },
          ...choicesOf("settings.disable_api_key"),
        ]}
      />
      <TextArea
        {...fieldProps(view, "settings.required_roles", settings.required_roles)}
        label={fieldLabel("settings.required_roles")}
        help={`Roles that a key must have, all of them; one per line. Empty inherits: ${inherited.required_roles}.`}
        rows={2}
        spellcheck={false}
        mono
        optional
      />
      <SelectField
        {...fieldProps(view, "settings.require_https", settings.require_https)}
        label={fieldLabel("settings.require_https")}
        help="Whether calls over plain HTTP are refused."
        options={[
          { value: "", label: `Inherit (${inherited.require_https})` },
          ...choicesOf("settings.require_https"),
        ]}
      />
      <TextArea
        {...fieldProps(view, "settings.allowed_ips", settings.allowed_ips)}
        label={fieldLabel("settings.allowed_ips")}
        help={`Addresses or ranges such as 10.0.0.0/8 that may call; one per line. Empty inherits: ${inherited.allowed_ips}.`}
        rows={2}
        spellcheck={false}
        mono
        optional
      />
    </Section>
  );
}

export function RateLimitSection({ view }: { view: FormView }) {
  const { form: { settings }, inherited, interactive } = view;
  return (
    <Section
      title="Rate limit"
      set={rateLimitSummary(view.form, inherited)}
      open={opens(view, ...rateLimitFields.map((name) => `settings.${name}`))}
    >
      <SelectField
        {...fieldProps(view, "settings.rate_limit_mode", settings.rate_limit_mode)}
        label={fieldLabel("settings.rate_limit_mode")}
        help="How often one caller may call. A user may have limits of their own, which replace these; they are set over the REST API."
        options={[
          { value: "", label: `Inherit (${inherited.rate_limit_mode})` },
          ...choicesOf("settings.rate_limit_mode"),
        ]}
      />
      {(settings.rate_limit_mode === "" || !interactive) && <InheritedLimits view={view} />}
      {(settings.rate_limit_mode === "custom" || !interactive) && <RateLimitRows view={view} />}
      <p class="muted small">
        All limits hold at the same time. A call without a key is counted by its IP address; an IPv6
        address counts as its /64 network.
      </p>
      {takesCallsWithoutKey(view) && <KeylessLimits view={view} />}
      <TextField
        {...fieldProps(view, "settings.rate_limit_bucket_name", settings.rate_limit_bucket_name)}
        label={fieldLabel("settings.rate_limit_bucket_name")}
        help="Backends with the same bucket share their counts. Empty: shared by all backends of the frontend host."
        placeholder={inherited.rate_limit_bucket_name}
        maxLength={255}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        mono
        optional
      />
    </Section>
  );
}

const rateLimitFields = [
  "rate_limit",
  "anonymous_rate_limit_behavior",
  "authenticated_rate_limit_behavior",
];

function InheritedLimits({ view: { inherited } }: { view: FormView }) {
  if (inherited.rate_limits.length === 0) return null;
  return (
    <div>
      <p class="field-label" id="inherited-limits">Inherited limits</p>
      <ul class="inherited-limits" aria-labelledby="inherited-limits">
        {inherited.rate_limits.map((limit) => <li key={limit}>{limit}</li>)}
      </ul>
    </div>
  );
}

/** Elsewhere it makes no difference how calls with a key and without one are held apart. */
function takesCallsWithoutKey({ form: { settings }, inherited, interactive }: FormView): boolean {
  return !interactive || settings.disable_api_key === "true" ||
    (settings.disable_api_key === "" && inherited.disable_api_key === "not required") ||
    settings.anonymous_rate_limit_behavior + settings.authenticated_rate_limit_behavior !== "";
}

function KeylessLimits({ view }: { view: FormView }) {
  const names = ["anonymous_rate_limit_behavior", "authenticated_rate_limit_behavior"] as const;
  return (
    <div class="form-pair">
      {names.map((name) => (
        <SelectField
          key={name}
          {...fieldProps(view, `settings.${name}`, view.form.settings[name])}
          label={fieldLabel(`settings.${name}`)}
          options={[
            { value: "", label: `Inherit (${view.inherited[name]})` },
            ...choicesOf(`settings.${name}`),
          ]}
        />
      ))}
    </div>
  );
}

function RateLimitRows({ view }: { view: FormView }) {
  return (
    <Rows
      view={view}
      list="settings.rate_limits"
      rows={view.form.settings.rate_limits}
      noun="custom limit"
    >
      {(row, path) => (
        <>
          <TextField
            {...fieldProps(view, `${path}.limit`, row.limit)}
            label={fieldLabel(`${path}.limit`)}
            placeholder="1000"
            inputMode="numeric"
            autocomplete="off"
            mono
          />
          <TextField
            {...fieldProps(view, `${path}.duration`, row.duration)}
            label={fieldLabel(`${path}.duration`)}
            inputMode="numeric"
            autocomplete="off"
            mono
          />
          <SelectField
            {...fieldProps(view, `${path}.unit`, row.unit)}
            label="Unit"
            options={row.unit === "1"
              ? [...durationUnits, { value: "1", label: "milliseconds" }]
              : durationUnits}
          />
          <SelectField
            {...fieldProps(view, `${path}.limit_by`, row.limit_by)}
            label={fieldLabel(`${path}.limit_by`)}
            options={choicesOf("settings.rate_limits.limit_by")}
          />
          <Checkbox
            name={`${path}.response_headers`}
            label="Tell callers in response headers"
            checked={row.response_headers === "true"}
            errors={view.errors}
          />
        </>
      )}
    </Rows>
  );
}

export function HeadersSection({ view }: { view: FormView }) {
  const { form: { settings }, inherited } = view;
  const names = ["headers", "default_response_headers", "override_response_headers"];
  return (
    <Section
      title="Headers"
      set={headersSummary(view.form)}
      open={opens(view, ...names.map((name) => `settings.${name}`))}
    >
      <HeaderRows
        view={view}
        list="settings.headers"
        rows={settings.headers}
        help="Set on every request to the backend, whatever the caller sent."
        inherited={inherited.headers}
      />
      <HeaderRows
        view={view}
        list="settings.default_response_headers"
        rows={settings.default_response_headers}
        help="Set on the answer where the backend did not set them."
        inherited={inherited.default_response_headers}
      />
      <HeaderRows
        view={view}
        list="settings.override_response_headers"
        rows={settings.override_response_headers}
        help="Set on the answer in place of the backend's own."
        inherited={inherited.override_response_headers}
      />
    </Section>
  );
}

interface HeaderRowsProps {
  readonly view: FormView;
  readonly list: RowList;
  readonly rows: readonly HeaderFields[];
  readonly help: string;
  readonly inherited: string;
}

function HeaderRows({ view, list, rows, help, inherited }: HeaderRowsProps) {
  return (
    <div class="stack" role="group" aria-labelledby={`title-${list}`}>
      <div>
        <p class="field-label" id={`title-${list}`}>{fieldLabel(list)}</p>
        <p class="field-help">{`${help} Empty inherits: ${inherited}.`}</p>
      </div>
      <Rows view={view} list={list} rows={rows} noun="header">
        {({ key, value }, path) => (
          <>
            <TextField
              {...fieldProps(view, `${path}.key`, key)}
              label={fieldLabel(`${path}.key`)}
              placeholder="X-Source"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              mono
            />
            <TextField
              {...fieldProps(view, `${path}.value`, value)}
              label={fieldLabel(`${path}.value`)}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              mono
            />
          </>
        )}
      </Rows>
    </div>
  );
}
