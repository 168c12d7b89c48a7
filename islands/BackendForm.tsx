/**
 * The form of a backend. Without script its buttons send it to the server, which
 * shows it again; where script runs, rows come and go at once, the examples follow
 * what is typed, and leaving with unsaved changes asks.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, ButtonLink } from "@/components/Button.tsx";
import {
  type BackendForm as Fields,
  formIdentity,
  readBackendForm,
} from "@/components/backends/backend_form.ts";
import { fieldLabel, fieldTitle } from "@/components/backends/field_labels.ts";
import {
  placeAfter,
  withFirstLimits,
  withOpenRows,
  withRowAction,
} from "@/components/backends/form_rows.ts";
import type { FormView, SettingsView } from "@/components/backends/form_view.ts";
import type { Inherited } from "@/components/backends/settings/inherited.ts";
import { RequestSection } from "@/components/backends/RequestSection.tsx";
import {
  HostSection,
  NameSection,
  PrefixesSection,
} from "@/components/backends/RoutingSections.tsx";
import {
  HealthCheckSection,
  ServersSection,
  TlsSection,
} from "@/components/backends/ServerSections.tsx";
import { SettingsSection } from "@/components/backends/SettingsSections.tsx";
import { SubUrlsSection } from "@/components/backends/SubUrlsSection.tsx";
import type { Entrance } from "@/components/backends/unreached.ts";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import { type FieldErrors, fieldId } from "@/components/form_errors.ts";
import { useUnsavedGuard } from "@/components/unsaved_guard.ts";

interface BackendFormProps {
  readonly form: Fields;
  readonly errors: FieldErrors;
  readonly inherited: Inherited;
  /** The backends that win over this one where prefixes are equal. */
  readonly earlier: readonly Entrance[];
  readonly baseUrl: string;
  readonly focus: string | null;
  /** The version that is edited; null for a backend that is not there yet. */
  readonly version: number | null;
  /** Whether the form came back from the server with what was typed, unsaved. */
  readonly unsaved: boolean;
}

export function BackendForm(props: BackendFormProps) {
  const places = [props.focus ?? "", ...props.errors.map(({ field = "" }) => field)];
  const form = useSignal(withOpenRows(props.form, places));
  const goOn = useSignal({ at: props.focus });
  const interactive = useSignal(false);
  const element = useRef<HTMLFormElement>(null);
  const leaving = useUnsavedGuard(() =>
    props.unsaved || formIdentity(form.value) !== formIdentity(props.form)
  );

  useEffect(() => {
    interactive.value = true;
  }, []);

  useEffect(() => {
    const { at } = goOn.value;
    if (at !== null) document.getElementById(fieldId(at))?.focus();
  }, [goOn.value]);

  function onInput() {
    if (element.current === null) return;
    form.value = withFirstLimits(readBackendForm(new FormData(element.current)));
  }

  function onRowAction(action: string) {
    const changed = withRowAction(form.value, action);
    if (changed === null) return;
    form.value = changed;
    goOn.value = { at: placeAfter(changed, action) };
  }

  const view: FormView = {
    form: form.value,
    errors: props.errors,
    inherited: props.inherited,
    earlier: props.earlier,
    baseUrl: props.baseUrl,
    focus: goOn.value.at,
    interactive: interactive.value,
    onRowAction,
    labelOf: fieldLabel,
  };
  const settings: SettingsView = {
    path: "settings",
    form: form.value.settings,
    inherited: props.inherited,
    isSubUrl: false,
  };
  return (
    <form
      ref={element}
      class="form backend-form"
      method="post"
      noValidate
      onInput={onInput}
      onSubmit={() => leaving.current = true}
    >
      {/* Enter in a field presses the first button of a form: it must not remove a row. */}
      <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">Save</button>
      {props.version !== null && <input type="hidden" name="version" value={props.version} />}
      <ErrorSummary errors={props.errors} labels={fieldTitle} />
      <NameSection view={view} />
      <ServersSection view={view} />
      <HostSection view={view} />
      <PrefixesSection view={view} />
      <SettingsSection view={view} settings={settings} group="access" />
      <SettingsSection view={view} settings={settings} group="cors" />
      <SettingsSection view={view} settings={settings} group="limits" />
      <RequestSection view={view} settings={settings} />
      <SettingsSection view={view} settings={settings} group="answer" />
      <SettingsSection view={view} settings={settings} group="cache" />
      <SubUrlsSection view={view} />
      <TlsSection view={view} />
      <HealthCheckSection view={view} />
      <SettingsSection view={view} settings={settings} group="advanced" />
      <div class="form-actions save-bar">
        <Button look="primary">Save</Button>
        <ButtonLink href="/admin/backends" look="quiet">Back to the list</ButtonLink>
        <p class="muted small">Saving changes nothing for callers until you publish.</p>
      </div>
    </form>
  );
}
