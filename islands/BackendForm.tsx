/** The form of a backend, with examples of calls that follow what is typed. */
import type { BackendForm as Fields } from "@/components/backends/backend_form.ts";
import { fieldLabel, fieldTitle } from "@/components/backends/field_labels.ts";
import { backendEdits, withOpenRows } from "@/components/backends/form_rows.ts";
import type { FormView, SettingsView } from "@/components/backends/form_view.ts";
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
import type { Inherited } from "@/components/backends/settings/inherited.ts";
import { SettingsSection } from "@/components/backends/SettingsSections.tsx";
import { SubUrlsSection } from "@/components/backends/SubUrlsSection.tsx";
import type { Entrance } from "@/components/backends/unreached.ts";
import type { ShownForm } from "@/components/fields/posted_form.ts";
import { RecordForm } from "@/components/fields/RecordForm.tsx";

interface BackendFormProps extends ShownForm<Fields> {
  readonly inherited: Inherited;
  /** The backends that win over this one where prefixes are equal. */
  readonly earlier: readonly Entrance[];
  readonly baseUrl: string;
  /** The version that is edited; null for a backend that is not there yet. */
  readonly version: number | null;
}

export function BackendForm(props: BackendFormProps) {
  const { form, errors, focus, unsaved, version, inherited, earlier, baseUrl } = props;
  const places = [focus ?? "", ...errors.map(({ field = "" }) => field)];
  return (
    <RecordForm
      form={withOpenRows(form, places)}
      errors={errors}
      focus={focus}
      unsaved={unsaved}
      version={version}
      edits={backendEdits}
      labelOf={fieldLabel}
      titleOf={fieldTitle}
      action="Save"
      back="/admin/backends"
      note="Saving changes nothing for callers until you publish."
    >
      {(form, view) => <Sections view={{ ...view, form, inherited, earlier, baseUrl }} />}
    </RecordForm>
  );
}

function Sections({ view }: { view: FormView }) {
  const settings: SettingsView = {
    path: "settings",
    form: view.form.settings,
    inherited: view.inherited,
    isSubUrl: false,
  };
  return (
    <>
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
    </>
  );
}
