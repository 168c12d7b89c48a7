/** The fields of a table on the page, each by its kind; those that do not matter now wait. */
import type { ComponentChildren } from "preact";
import { SelectField, TextArea, TextField } from "../Field.tsx";
import { absoluteTime } from "../Time.tsx";
import type { ChoiceField, FactField, Field, FieldTable } from "./field_kinds.ts";
import { fieldPath } from "./field_path.ts";
import { fieldProps, type FieldView, opens } from "./field_view.ts";
import { type FieldState, postedFields, rowsOf, statesOf, textOf } from "./fields_form.ts";
import { InheritedRows, RowsControl } from "./RowsControl.tsx";
import { SecretInput } from "./SecretInput.tsx";

interface FieldGroupProps {
  readonly view: FieldView;
  /** Where the fields are in the record: `settings`; "" for the record itself. */
  readonly path: string;
  readonly table: FieldTable;
  readonly form: Readonly<Record<string, FieldState>>;
  /** What holds where a field is empty; null where that is not inherited, but built in. */
  readonly inherited: Readonly<Record<string, readonly string[]>> | null;
  /** Whether a field makes a difference, as the others are. */
  readonly matters?: (field: Field) => boolean;
}

export function FieldGroup(props: FieldGroupProps) {
  const { view, path, table, form, inherited, matters = () => true } = props;
  return (
    <div class="form-pair">
      {[...statesOf(table, form)].map(([name, field, state]) => {
        const own = fieldPath(path, name);
        const isShown = !view.interactive || matters(field) || opens(view, [own]);
        const items = inherited?.[name] ?? [];
        if (!isShown) {
          return (
            <Waiting key={name} field={field} items={inheritsGate(field, form) ? items : []}>
              <Kept fields={postedFields({ [name]: field }, { [name]: state }, path)} />
            </Waiting>
          );
        }
        return (
          <FieldControl
            key={name}
            view={view}
            path={own}
            field={field}
            state={state}
            inherited={inherited === null ? null : items}
          />
        );
      })}
    </div>
  );
}

/** Whether what decides on the field is left to what holds above. */
function inheritsGate({ onlyWhile }: Field, form: Readonly<Record<string, FieldState>>): boolean {
  return onlyWhile !== null && textOf(form[onlyWhile[0]]) === "";
}

interface WaitingProps {
  readonly field: Field;
  readonly items: readonly string[];
  readonly children: ComponentChildren;
}

/** In place of a field that does not matter now; the rows that hold instead are told. */
function Waiting({ field, items, children }: WaitingProps) {
  return (
    <>
      {children}
      {field.control === "rows" && items.length > 0 && (
        <div class="wide">
          <p class="field-label">{field.label}</p>
          <InheritedRows items={items} />
        </div>
      )}
    </>
  );
}

/** Fields that are sent as they are, without being shown. */
export function Kept({ fields }: { fields: readonly (readonly [name: string, value: string])[] }) {
  return (
    <>
      {fields.map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)}
    </>
  );
}

interface ControlProps<F extends Field = Field> {
  readonly view: FieldView;
  readonly path: string;
  readonly field: F;
  readonly state: FieldState;
  readonly inherited: readonly string[] | null;
}

function FieldControl(props: ControlProps) {
  const { view, path, field, state, inherited } = props;
  if (field.control === "rows") {
    return (
      <RowsControl
        view={view}
        path={path}
        field={field}
        rows={rowsOf(state)}
        inherited={inherited ?? []}
      />
    );
  }
  const text = textOf(state);
  const { help } = field;
  const given = {
    ...fieldProps(view, path, text),
    help,
    mono: true,
    placeholder: inWords(field, inherited),
  };
  switch (field.control) {
    case "choice":
      return <ChoiceControl {...props} field={field} />;
    case "fact":
      return <Fact path={path} field={field} text={text} />;
    case "secret":
      return <SecretInput {...given} label={field.label} maxLength={field.maxLength} />;
    case "text":
      return <TextField {...given} label={field.label} maxLength={field.maxLength} />;
    case "number":
      return (
        <TextField
          {...given}
          label={field.unit === null ? field.label : `${field.label} in ${field.unit}`}
          inputMode="decimal"
        />
      );
    case "lines":
      return field.numbers
        ? <TextField {...given} label={field.label} />
        : <TextArea {...given} label={field.label} rows={linesShown(text)} />;
    case "block":
    case "yaml":
      return (
        <div class="wide">
          <TextArea {...given} label={field.label} rows={linesShown(text || given.placeholder)} />
        </div>
      );
  }
}

/** What holds while nothing is typed. */
function inWords(field: Field, inherited: readonly string[] | null): string {
  return inherited === null ? field.builtIn : `${inherited.join(", ")} (inherited)`;
}

/** As many as there are, and one to go on with. */
function linesShown(text: string): number {
  return Math.min(20, Math.max(2, text.split("\n").length + 1));
}

function ChoiceControl({ view, path, field, state, inherited }: ControlProps<ChoiceField>) {
  const inherit = { value: "", label: `Inherit (${(inherited ?? []).join(", ")})` };
  return (
    <SelectField
      {...fieldProps(view, path, textOf(state))}
      label={field.label}
      help={field.help}
      options={field.inherits ? [inherit, ...field.choices] : field.choices}
    />
  );
}

function Fact({ path, field, text }: { path: string; field: FactField; text: string }) {
  if (text === "") return null;
  return (
    <p class="wide small">
      <input type="hidden" name={path} value={text} />
      {field.label} {Number.isNaN(Date.parse(text)) ? text : absoluteTime(text)}.{" "}
      <span class="muted">{field.help}</span>
    </p>
  );
}
