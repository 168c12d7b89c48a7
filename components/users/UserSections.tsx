/** The sections of an API user's form. */
import { Checkbox, SelectField, TextArea, TextField } from "../Field.tsx";
import type { Field } from "../fields/field_kinds.ts";
import { fieldProps, opens } from "../fields/field_view.ts";
import { FieldGroup } from "../fields/FieldGroup.tsx";
import type { FieldsForm } from "../fields/fields_form.ts";
import { Rows } from "../fields/Rows.tsx";
import { Section } from "../Section.tsx";
import { BACKEND_LIMITS } from "./user_form.ts";
import {
  backendLimitsSummary,
  keySummary,
  limitsSummary,
  notesSummary,
  originSummary,
  personSummary,
} from "./user_summaries.ts";
import { detailFields, type LimitFields, limitFields, originFields } from "./user_table.ts";
import type { UserView } from "./user_view.ts";

interface SectionProps {
  readonly view: UserView;
}

type TextName = "email" | "first_name" | "last_name" | "use_description" | "expires_at";
type TickName = "enabled" | "email_verified" | "throttle_by_ip";

function given(view: UserView, name: TextName) {
  return { ...fieldProps(view, name, view.form[name]), label: view.labelOf(name) };
}

function ticked({ form, errors, labelOf }: UserView, name: TickName) {
  return { name, label: labelOf(name), checked: form[name] === "true", errors };
}

export function PersonSection({ view }: SectionProps) {
  return (
    <Section title="Person" set={personSummary(view.form)} open>
      <TextField
        {...given(view, "email")}
        type="email"
        maxLength={255}
        autocomplete="off"
        required
      />
      <div class="form-pair">
        <TextField {...given(view, "first_name")} maxLength={80} autocomplete="off" required />
        <TextField {...given(view, "last_name")} maxLength={80} autocomplete="off" required />
      </div>
    </Section>
  );
}

export function KeySection({ view }: SectionProps) {
  const { form } = view;
  return (
    <Section title="Key" set={keySummary(form)} open>
      <Checkbox
        {...ticked(view, "enabled")}
        help="Calls with a disabled key are refused within a second."
      />
      <TextField
        {...given(view, "expires_at")}
        help="From then on the key is refused. Empty: never."
        type="datetime-local"
        step="1"
        mono
        optional
      />
      <Roles view={view} />
      <Checkbox
        {...ticked(view, "email_verified")}
        help="API backends may take only keys whose holder's address is known to be right."
      />
    </Section>
  );
}

const KNOWN_ROLES = "known-roles";

function Roles({ view }: SectionProps) {
  const { form, knownRoles, errors, focus } = view;
  return (
    <div class="stack" role="group" aria-labelledby="roles-title">
      <div>
        <p class="field-label" id="roles-title">{view.labelOf("roles")}</p>
        <p class="field-help">
          An API backend may ask for roles; a key without them is refused there.
        </p>
      </div>
      <Rows view={view} list="roles" rows={form.roles} noun="role">
        {(role, path) => (
          <TextField
            name={path}
            value={role}
            label="Role"
            errors={errors}
            autofocus={focus === path}
            list={KNOWN_ROLES}
            maxLength={255}
            mono
          />
        )}
      </Rows>
      <datalist id={KNOWN_ROLES}>
        {knownRoles.map((role) => <option key={role} value={role} />)}
      </datalist>
    </div>
  );
}

export function OriginSection({ view }: SectionProps) {
  const paths = Object.keys(originFields).map((name) => `settings.${name}`);
  return (
    <Section
      title="Where calls may come from"
      set={originSummary(view.form)}
      open={opens(view, paths)}
    >
      <FieldGroup
        view={view}
        path="settings"
        table={originFields}
        form={view.form.settings}
        inherited={null}
      />
    </Section>
  );
}

export function LimitsSection({ view }: SectionProps) {
  const { form } = view;
  const paths = Object.keys(limitFields).map((name) => `settings.${name}`);
  return (
    <Section
      title="Rate limits and quotas"
      set={limitsSummary(form)}
      open={opens(view, [...paths, "throttle_by_ip"])}
    >
      <Limits
        view={view}
        path="settings"
        limits={form.settings}
        otherwise="each API backend's"
      />
      <Checkbox
        {...ticked(view, "throttle_by_ip")}
        help="For a key that many people share, as in a page's script: rate limits by API key then count each address by itself."
      />
    </Section>
  );
}

interface LimitsProps extends SectionProps {
  readonly path: string;
  readonly limits: FieldsForm<LimitFields>;
  /** Whose limits and quotas hold where none are set. */
  readonly otherwise: string;
}

function Limits({ view, path, limits, otherwise }: LimitsProps) {
  return (
    <FieldGroup
      view={view}
      path={path}
      table={limitFields}
      form={limits}
      inherited={{ rate_limit_mode: [otherwise], quotas: [otherwise] }}
      matters={(field) => matters(field, limits)}
    />
  );
}

function matters({ onlyWhile }: Field, limits: FieldsForm<LimitFields>): boolean {
  return onlyWhile === null || limits.rate_limit_mode === onlyWhile[1];
}

export function BackendLimitsSection({ view }: SectionProps) {
  const { form } = view;
  return (
    <Section
      title="Limits for single API backends"
      set={backendLimitsSummary(form)}
      open={opens(view, [BACKEND_LIMITS])}
    >
      <p class="field-help">
        What is set here stands in place of all others, and is counted for that API backend alone.
      </p>
      <Rows view={view} list={BACKEND_LIMITS} rows={form.backend_limits} noun="backend">
        {({ backend_id, limits }, path) => (
          <div class="wide stack">
            <SelectField
              {...fieldProps(view, `${path}.backend_id`, backend_id)}
              label={view.labelOf(`${path}.backend_id`)}
              options={backendChoices(view, backend_id)}
            />
            <Limits
              view={view}
              path={path}
              limits={limits}
              otherwise="the user's for all"
            />
          </div>
        )}
      </Rows>
    </Section>
  );
}

/** The chosen one stays, also when it is not there any more. */
function backendChoices({ backends }: UserView, chosen: string) {
  const choices = backends.map(({ id, name }) => ({ value: id, label: name }));
  const isGone = chosen !== "" && !backends.some(({ id }) => id === chosen);
  return [
    { value: "", label: "Choose one" },
    ...choices,
    ...(isGone ? [{ value: chosen, label: `${chosen} (not there any more)` }] : []),
  ];
}

export function NotesSection({ view }: SectionProps) {
  const { form } = view;
  const paths = ["use_description", ...Object.keys(detailFields)] as const;
  return (
    <Section title="Notes" set={notesSummary(form)} open={opens(view, paths)}>
      <TextArea {...given(view, "use_description")} maxLength={2000} optional />
      <FieldGroup view={view} path="" table={detailFields} form={form.details} inherited={null} />
    </Section>
  );
}
