/** The sections that say how calls are treated: of a backend, and again of each sub-URL. */
import type { ComponentChildren } from "preact";
import type { Field } from "../fields/field_kinds.ts";
import { opens } from "../fields/field_view.ts";
import { FieldGroup } from "../fields/FieldGroup.tsx";
import { Section } from "../Section.tsx";
import type { FormView, SettingsView } from "./form_view.ts";
import { settingsSummary } from "./section_summaries.ts";
import { hasValue } from "./settings/inherited.ts";
import { isSettingName } from "./settings/settings_form.ts";
import { type SettingGroup, settingGroups } from "./settings/table.ts";

const settingTitles: Record<SettingGroup, string> = {
  access: "Keys and access",
  cors: "Calls from other sites (CORS)",
  limits: "Rate limits and quotas",
  request: "Request rewriting",
  answer: "Answers",
  cache: "Cache",
  advanced: "Advanced",
};

interface SettingsSectionProps {
  readonly view: FormView;
  readonly settings: SettingsView;
  readonly group: SettingGroup;
  /** What is set, if that is more than the settings say. */
  readonly set?: string;
  /** Paths of fields that are in the section besides the settings. */
  readonly more?: readonly string[];
  readonly children?: ComponentChildren;
}

export function SettingsSection(props: SettingsSectionProps) {
  const { view, settings, group, more = [], children } = props;
  const { path, form, inherited, isSubUrl } = settings;
  const fields: [string, Field][] = Object.entries(settingGroups[group]);
  const table = Object.fromEntries(fields.filter(([, field]) => isSubUrl || !field.subUrlOnly));
  const paths = Object.keys(table).map((name) => `${path}.${name}`);
  return (
    <Section
      title={settingTitles[group]}
      set={props.set ?? settingsSummary(group, form, inherited)}
      open={opens(view, [...paths, ...more])}
    >
      <FieldGroup
        view={view}
        path={path}
        table={table}
        form={form}
        inherited={inherited}
        matters={(field) => matters(field, settings)}
      />
      {children}
    </Section>
  );
}

/** Whether the setting that decides on the field has the value under which it counts. */
function matters({ onlyWhile }: Field, { form, inherited }: SettingsView): boolean {
  const [gate, value] = onlyWhile ?? [];
  if (gate === undefined || value === undefined || !isSettingName(gate)) return true;
  return hasValue(form, inherited, gate, value);
}
