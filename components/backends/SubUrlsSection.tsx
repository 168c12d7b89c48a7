/**
 * The sub-URLs of a backend: a line each, in the order in which they are asked; an open
 * one has its fields below it, the others send theirs along unseen.
 */
import { SelectField, TextField } from "../Field.tsx";
import { fieldProps, opens } from "../fields/field_view.ts";
import { Kept } from "../fields/FieldGroup.tsx";
import { postedFields } from "../fields/fields_form.ts";
import { actionProps, AddButton, ListError, RowButtons } from "../fields/Rows.tsx";
import { fieldId } from "../form_errors.ts";
import { onRow } from "../fields/row_actions.ts";
import { Section } from "../Section.tsx";
import type { SubUrlFields } from "./backend_form.ts";
import { fieldLabel } from "./field_labels.ts";
import type { FormView, SettingsView } from "./form_view.ts";
import { methods } from "./routing_choices.ts";
import { subUrlsSummary, subUrlSummary } from "./section_summaries.ts";
import { inheritedBelow } from "./settings/inherited.ts";
import { settingFields, type SettingGroup, settingGroups } from "./settings/table.ts";
import { SettingsSection } from "./SettingsSections.tsx";

const list = "sub_settings";

export function SubUrlsSection({ view }: { view: FormView }) {
  const { form, inherited } = view;
  const rows = form.sub_settings;
  const backend = inheritedBelow(form.settings, inherited);
  return (
    <Section title="Sub-URLs" set={subUrlsSummary(form)} open={opens(view, [list])}>
      <p class="field-help">
        Parts of the backend with settings of their own. The first one whose method and expression
        match a call holds for it; what is empty there is as the backend has it.
      </p>
      <div class="rows" id={fieldId(list)} tabIndex={-1}>
        {rows.map((row, index) => {
          const path = `${list}[${index}]`;
          const settings = {
            path: `${path}.settings`,
            form: row.settings,
            inherited: backend,
            isSubUrl: true,
          };
          return (
            <SubUrl
              key={index}
              view={view}
              row={row}
              index={index}
              path={path}
              settings={settings}
            />
          );
        })}
        <ListError view={view} list={list} />
        <AddButton view={view} list={list} noun="sub-URL" />
      </div>
    </Section>
  );
}

interface SubUrlProps {
  readonly view: FormView;
  readonly row: SubUrlFields;
  readonly index: number;
  /** `sub_settings[0]` */
  readonly path: string;
  readonly settings: SettingsView;
}

function SubUrl(props: SubUrlProps) {
  const { view, row, index, path } = props;
  const isOpen = row.open === "true";
  return (
    <fieldset class="sub-url" id={fieldId(path)} tabIndex={-1}>
      <legend class="visually-hidden">{`Sub-URL ${index + 1}`}</legend>
      <div class="sub-url-head">
        <button
          type="submit"
          class="sub-url-toggle disclosure"
          id={fieldId(`${path}.open`)}
          aria-expanded={isOpen}
          autofocus={view.focus === `${path}.open`}
          {...actionProps(view, onRow(isOpen ? "close" : "open", path))}
        >
          <code>{`${row.http_method === "any" ? "Any" : row.http_method} ${row.regex}`}</code>
          <span class="section-set">{subUrlSummary(row)}</span>
        </button>
        <RowButtons
          view={view}
          list={list}
          index={index}
          count={view.form.sub_settings.length}
          noun="sub-URL"
          ordered
        />
      </div>
      {isOpen ? <SubUrlBody {...props} /> : <KeptSubUrl {...props} />}
    </fieldset>
  );
}

function KeptSubUrl({ row, path, settings }: SubUrlProps) {
  return (
    <Kept
      fields={[
        [`${path}.http_method`, row.http_method],
        [`${path}.regex`, row.regex],
        ...postedFields(settingFields, row.settings, settings.path),
      ]}
    />
  );
}

const groups = Object.keys(settingGroups) as SettingGroup[]; // its own names

function SubUrlBody({ view, row, path, settings }: SubUrlProps) {
  return (
    <div class="sub-url-body">
      <Kept fields={[[`${path}.open`, "true"]]} />
      <p class="field-help">
        For calls with this method whose path and query, as the backend gets them before rewrites,
        match the expression; anywhere, unless it has <code>^</code> and <code>$</code>.
      </p>
      <div class="form-row">
        <SelectField
          {...fieldProps(view, `${path}.http_method`, row.http_method)}
          label={fieldLabel(`${path}.http_method`)}
          options={methods}
        />
        <TextField
          {...fieldProps(view, `${path}.regex`, row.regex)}
          label={fieldLabel(`${path}.regex`)}
          placeholder="^/v1/reports/"
          maxLength={255}
          mono
          required
        />
      </div>
      {groups.map((group) => (
        <SettingsSection key={group} view={view} settings={settings} group={group} />
      ))}
    </div>
  );
}
