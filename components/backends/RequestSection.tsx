/** The section of a backend's form that says how requests are changed on their way. */
import { SelectField, TextField } from "../Field.tsx";
import { fieldProps } from "../fields/field_view.ts";
import { Rows } from "../fields/Rows.tsx";
import { fieldLabel } from "./field_labels.ts";
import type { FormView, SettingsView } from "./form_view.ts";
import { matcherTypes, methods } from "./routing_choices.ts";
import { requestSummary } from "./section_summaries.ts";
import { SettingsSection } from "./SettingsSections.tsx";

export function RequestSection({ view, settings }: { view: FormView; settings: SettingsView }) {
  const { rewrites } = view.form;
  return (
    <SettingsSection
      view={view}
      settings={settings}
      group="request"
      set={requestSummary(view.form, settings.inherited)}
      more={["rewrites"]}
    >
      <div class="stack" role="group" aria-labelledby="rewrites-title">
        <div>
          <p class="field-label" id="rewrites-title">{fieldLabel("rewrites")}</p>
          <p class="field-help">
            Changes to path and query behind the prefix; all that match are made, in this order. A
            route such as <code>/users/:id</code> is replaced with{" "}
            <code>{"/people?id={{id}}"}</code>, a regular expression with <code>$1</code>.
          </p>
        </div>
        <Rows view={view} list="rewrites" rows={rewrites} noun="rewrite" ordered>
          {(row, path) => (
            <>
              <SelectField
                {...fieldProps(view, `${path}.matcher_type`, row.matcher_type)}
                label={fieldLabel(`${path}.matcher_type`)}
                options={matcherTypes}
              />
              <SelectField
                {...fieldProps(view, `${path}.http_method`, row.http_method)}
                label={fieldLabel(`${path}.http_method`)}
                options={methods}
              />
              <TextField
                {...fieldProps(view, `${path}.frontend_matcher`, row.frontend_matcher)}
                label={fieldLabel(`${path}.frontend_matcher`)}
                placeholder={row.matcher_type === "regex" ? "^/users/(\\d+)" : "/users/:id"}
                maxLength={255}
                mono
              />
              <TextField
                {...fieldProps(view, `${path}.backend_replacement`, row.backend_replacement)}
                label={fieldLabel(`${path}.backend_replacement`)}
                placeholder={row.matcher_type === "regex" ? "/people?id=$1" : "/people?id={{id}}"}
                maxLength={255}
                mono
              />
            </>
          )}
        </Rows>
      </div>
    </SettingsSection>
  );
}
