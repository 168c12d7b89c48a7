/**
 * The form of a record with lists. Without script its buttons send it to the server, which
 * shows it again; where script runs, rows come and go at once, the sections follow what
 * is typed, and leaving with unsaved changes asks.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button, ButtonLink } from "../Button.tsx";
import { ErrorSummary } from "../ErrorSummary.tsx";
import { fieldId } from "../form_errors.ts";
import type { FieldView } from "./field_view.ts";
import type { FormEdits } from "./form_edits.ts";
import type { ShownForm } from "./posted_form.ts";
import { useUnsavedGuard } from "./unsaved_guard.ts";

interface RecordFormProps<Form> extends ShownForm<Form> {
  readonly edits: FormEdits<Form>;
  /** The version that is edited; null for a record that is not there yet. */
  readonly version: number | null;
  /** What the field at a path is called, beside its control and where it stands alone. */
  readonly labelOf: (path: string) => string;
  readonly titleOf: (path: string) => string;
  /** What the button says that saves. */
  readonly action: string;
  /** The list that the record is in. */
  readonly back: string;
  /** What saving leads to, in one sentence. */
  readonly note: string;
  /** The sections. */
  readonly children: (form: Form, view: FieldView) => ComponentChildren;
}

/** Posts to the page it is on. */
export function RecordForm<Form>(props: RecordFormProps<Form>) {
  const { edits, errors, version, action } = props;
  const form = useSignal(props.form);
  const goOn = useSignal({ at: props.focus });
  const interactive = useSignal(false);
  const element = useRef<HTMLFormElement>(null);
  const leaving = useUnsavedGuard(() =>
    props.unsaved || edits.identity(form.value) !== edits.identity(props.form)
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
    form.value = edits.withFirstRows(edits.read(new FormData(element.current)));
  }

  function onRowAction(action: string) {
    const changed = edits.withRowAction(form.value, action);
    if (changed === null) return;
    form.value = changed;
    goOn.value = { at: edits.placeAfter(changed, action) };
  }

  return (
    <form
      ref={element}
      class="form record-form"
      method="post"
      noValidate
      onInput={onInput}
      onSubmit={() => leaving.current = true}
    >
      {/* Enter in a field presses the first button of a form: it must not remove a row. */}
      <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">
        {action}
      </button>
      {version !== null && <input type="hidden" name="version" value={version} />}
      <ErrorSummary errors={errors} labels={props.titleOf} />
      {props.children(form.value, {
        errors,
        focus: goOn.value.at,
        interactive: interactive.value,
        onRowAction,
        labelOf: props.labelOf,
      })}
      <div class="form-actions save-bar">
        <Button look="primary">{action}</Button>
        <ButtonLink href={props.back} look="quiet">Back to the list</ButtonLink>
        <p class="muted small">{props.note}</p>
      </div>
    </form>
  );
}
