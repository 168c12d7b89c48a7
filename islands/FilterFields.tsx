/**
 * What one more filter asks: a field of the log, how, and the value. Without script
 * everything is offered and the server refuses what does not fit; where script runs,
 * the choices and the example follow the field.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { SelectField, TextField } from "@/components/Field.tsx";
import { errorOf, errorSentence, type FieldErrors } from "@/components/form_errors.ts";
import { fieldGroups, fieldNames } from "@/components/logs/field_names.ts";
import {
  exampleValue,
  isOperator,
  type Operator,
  operators,
  operatorsOf,
  standsAlone,
} from "@/components/logs/filter_syntax.ts";
import type { FilterFields as Fields } from "@/components/logs/log_search.ts";
import { type LogField, logFields } from "@/gateway/records/log_row.ts";

interface FilterFieldsProps {
  readonly fields: Fields;
  readonly errors: FieldErrors;
}

const everyOperator = Object.keys(operators).filter(isOperator);

export function FilterFields({ fields, errors }: FilterFieldsProps) {
  const field = useSignal<LogField>(fieldNamed(fields.add_field));
  const operator = useSignal<Operator>(
    isOperator(fields.add_operator) ? fields.add_operator : "is",
  );
  const interactive = useSignal(false);

  useEffect(() => {
    interactive.value = true;
  }, []);

  function chooseField(name: string) {
    field.value = fieldNamed(name);
    if (!operatorsOf(field.value).includes(operator.value)) operator.value = "is";
  }

  function chooseOperator(name: string) {
    if (isOperator(name)) operator.value = name;
  }

  const offered = interactive.value ? operatorsOf(field.value) : everyOperator;
  return (
    <>
      <FieldChoice chosen={field.value} errors={errors} onChoice={chooseField} />
      <SelectField
        name="add_operator"
        label="How"
        value={operator.value}
        options={offered.map((value) => ({ value, label: operators[value] }))}
        onChange={(event) => chooseOperator(event.currentTarget.value)}
        errors={errors}
      />
      {(!interactive.value || !standsAlone(operator.value)) && (
        <TextField
          name="add_value"
          label="Value"
          value={fields.add_value}
          placeholder={interactive.value ? exampleValue(field.value, operator.value) : "value"}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          errors={errors}
          mono
        />
      )}
    </>
  );
}

/** The first field that the form offers, unless `name` is another. */
function fieldNamed(name: string): LogField {
  return logFields.find((field) => field === name) ?? "response_status";
}

interface FieldChoiceProps {
  readonly chosen: LogField;
  readonly errors: FieldErrors;
  readonly onChoice: (name: string) => void;
}

function FieldChoice({ chosen, errors, onChoice }: FieldChoiceProps) {
  const message = errorOf(errors, "add_field");
  return (
    <div class="field">
      <label class="field-label" for="field-add_field">Field</label>
      <select
        class="input"
        id="field-add_field"
        name="add_field"
        onChange={(event) => onChoice(event.currentTarget.value)}
      >
        {fieldGroups.map(({ title, fields }) => (
          <optgroup key={title} label={title}>
            {fields.map((field) => (
              <option key={field} value={field} selected={field === chosen}>
                {fieldNames[field]}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {message !== undefined && <p class="field-error">{errorSentence(message, "Field")}</p>}
    </div>
  );
}
