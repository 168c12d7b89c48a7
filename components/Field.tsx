/**
 * Fields of forms: label, help, error and control, tied together for screen
 * readers. A field shows what it is given as `value`, so a form that comes back
 * with errors keeps what was typed.
 */
import type {
  ComponentChildren,
  InputHTMLAttributes,
  JSX,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from "preact";
import { errorOf, errorSentence, type FieldErrors, fieldId } from "./form_errors.ts";
import { Icon } from "./Icon.tsx";

interface FieldProps {
  /** The field's path in the record, which is also its form name: `servers[0].host`. */
  readonly name: string;
  readonly label: string;
  readonly help?: ComponentChildren;
  readonly errors: FieldErrors;
  /** Says beside the label that the field may stay empty. */
  readonly optional?: boolean;
  /** For hosts, paths, keys and numbers: no words, which nobody is to complete or to correct. */
  readonly mono?: boolean;
}

/** What a field passes on to its control: everything but what `FieldProps` takes. */
type Control<Attributes> = Omit<Attributes, keyof FieldProps | "id" | "class" | "className">;

/** Takes a field's own properties off what goes to the control. */
function controlRest<Props extends FieldProps>(props: Props) {
  const {
    name: _,
    label: _label,
    help: _help,
    errors: _errors,
    optional: _optional,
    mono,
    ...rest
  } = props;
  return mono === true
    ? { ...noWords, ...rest, class: "input input-mono" }
    : { ...rest, class: "input" };
}

const noWords = { autocomplete: "off", autocapitalize: "none", spellcheck: false } as const;

/** The attributes that tie a control to its label, help and error. */
function wiring({ name, help, errors }: FieldProps) {
  const id = fieldId(name);
  const invalid = errorOf(errors, name) !== undefined;
  const describedBy = [
    ...(invalid ? [`${id}-error`] : []),
    ...(help === undefined ? [] : [`${id}-help`]),
  ];
  return {
    id,
    name,
    ...(describedBy.length > 0 && { "aria-describedby": describedBy.join(" ") }),
    ...(invalid && { "aria-invalid": "true" as const }),
  };
}

interface LabelProps extends FieldProps {
  /** Shown in place of `label`, for one that has a link in it. */
  readonly caption?: ComponentChildren;
}

function Label({ name, label, caption, optional = false }: LabelProps) {
  return (
    <label class="field-label" for={fieldId(name)}>
      {caption ?? label} {optional && <span class="field-optional">(optional)</span>}
    </label>
  );
}

function Help({ name, help }: FieldProps) {
  return help === undefined ? null : <p id={`${fieldId(name)}-help`} class="field-help">{help}</p>;
}

function ErrorLine({ name, label, errors }: FieldProps) {
  const message = errorOf(errors, name);
  if (message === undefined) return null;
  return (
    <p id={`${fieldId(name)}-error`} class="field-error">
      <Icon name="alert" />
      {errorSentence(message, label)}
    </p>
  );
}

function frame(props: FieldProps, control: JSX.Element) {
  return (
    <div class="field">
      <Label {...props} />
      <Help {...props} />
      {control}
      <ErrorLine {...props} />
    </div>
  );
}

/** One line of text, or of what `type` says. */
export function TextField(props: FieldProps & Control<InputHTMLAttributes<HTMLInputElement>>) {
  return frame(props, <input type="text" {...controlRest(props)} {...wiring(props)} />);
}

/** Several lines of text. */
export function TextArea(props: FieldProps & Control<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return frame(props, <textarea {...controlRest(props)} {...wiring(props)} />);
}

interface SelectFieldProps extends FieldProps, Control<SelectHTMLAttributes<HTMLSelectElement>> {
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** One of a few words. */
export function SelectField({ value, options, ...props }: SelectFieldProps) {
  return frame(
    props,
    <select {...controlRest(props)} {...wiring(props)}>
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ))}
    </select>,
  );
}

interface CheckboxProps extends LabelProps {
  readonly checked: boolean;
  /** What the form sends when it is ticked. */
  readonly value?: string;
  readonly required?: boolean;
}

/** A box to tick, with its label at the right. */
export function Checkbox({ checked, value = "true", required, ...props }: CheckboxProps) {
  return (
    <div class="choice">
      <input
        type="checkbox"
        value={value}
        checked={checked}
        required={required}
        {...wiring(props)}
      />
      <Label {...props} />
      <Help {...props} />
      <ErrorLine {...props} />
    </div>
  );
}
