/**
 * The form of an API user. Without script its buttons send it to the server, which
 * shows it again; where script runs, rows come and go at once, and leaving with unsaved
 * changes asks.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, ButtonLink } from "@/components/Button.tsx";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import { type FieldErrors, fieldId } from "@/components/form_errors.ts";
import { useUnsavedGuard } from "@/components/unsaved_guard.ts";
import { readUserForm, type UserForm as Fields } from "@/components/users/user_form.ts";
import { userFieldLabel, userFieldTitle } from "@/components/users/user_labels.ts";
import { placeAfter, withFirstLimits, withUserRowAction } from "@/components/users/user_rows.ts";
import type { LimitedBackend, UserView } from "@/components/users/user_view.ts";
import {
  BackendLimitsSection,
  KeySection,
  LimitsSection,
  NotesSection,
  OriginSection,
  PersonSection,
} from "@/components/users/UserSections.tsx";

interface UserFormProps {
  readonly form: Fields;
  readonly errors: FieldErrors;
  readonly backends: readonly LimitedBackend[];
  readonly knownRoles: readonly string[];
  readonly focus: string | null;
  /** The version that is edited; null for a user who is not there yet. */
  readonly version: number | null;
  /** Whether the form came back from the server with what was typed, unsaved. */
  readonly unsaved: boolean;
  /** What the button says. */
  readonly action: string;
}

/** Posts to the page it is on. */
export function UserForm(props: UserFormProps) {
  const form = useSignal(props.form);
  const goOn = useSignal({ at: props.focus });
  const interactive = useSignal(false);
  const element = useRef<HTMLFormElement>(null);
  const leaving = useUnsavedGuard(() =>
    props.unsaved || JSON.stringify(form.value) !== JSON.stringify(props.form)
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
    form.value = withFirstLimits(readUserForm(new FormData(element.current)));
  }

  function onRowAction(action: string) {
    const changed = withUserRowAction(form.value, action);
    if (changed === null) return;
    form.value = changed;
    goOn.value = { at: placeAfter(changed, action) };
  }

  const view: UserView = {
    form: form.value,
    errors: props.errors,
    backends: props.backends,
    knownRoles: props.knownRoles,
    focus: goOn.value.at,
    interactive: interactive.value,
    onRowAction,
    labelOf: userFieldLabel,
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
      <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">
        {props.action}
      </button>
      {props.version !== null && <input type="hidden" name="version" value={props.version} />}
      <ErrorSummary errors={props.errors} labels={userFieldTitle} />
      <PersonSection view={view} />
      <KeySection view={view} />
      <OriginSection view={view} />
      <LimitsSection view={view} />
      <BackendLimitsSection view={view} />
      <NotesSection view={view} />
      <div class="form-actions save-bar">
        <Button look="primary">{props.action}</Button>
        <ButtonLink href="/admin/users" look="quiet">Back to the list</ButtonLink>
        <p class="muted small">Calls go by it within a second.</p>
      </div>
    </form>
  );
}
