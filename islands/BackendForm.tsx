/**
 * The form of a backend. Without script its buttons send it to the server, which
 * shows it again; where script runs, rows come and go at once, the examples follow
 * what is typed, and leaving with unsaved changes asks.
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button, ButtonLink } from "@/components/Button.tsx";
import { type BackendForm as Fields, readBackendForm } from "@/components/backends/backend_form.ts";
import { fieldTitle } from "@/components/backends/field_labels.ts";
import { addRow, fieldAfter, withRowAction } from "@/components/backends/form_rows.ts";
import type { FormView } from "@/components/backends/form_view.ts";
import type { Inherited } from "@/components/backends/inherited.ts";
import {
  BackendSection,
  HostSection,
  NameSection,
  PrefixesSection,
} from "@/components/backends/RoutingSections.tsx";
import {
  AdvancedSection,
  HealthCheckSection,
  TlsSection,
} from "@/components/backends/ServerSections.tsx";
import {
  AccessSection,
  HeadersSection,
  RateLimitSection,
} from "@/components/backends/SettingsSections.tsx";
import type { Entrance } from "@/components/backends/unreached.ts";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import { type FieldErrors, fieldId } from "@/components/form_errors.ts";

interface BackendFormProps {
  readonly form: Fields;
  readonly errors: FieldErrors;
  readonly inherited: Inherited;
  /** The backends that win over this one where prefixes are equal. */
  readonly earlier: readonly Entrance[];
  readonly baseUrl: string;
  readonly focus: string | null;
  /** The version that is edited; null for a backend that is not there yet. */
  readonly version: number | null;
  /** Whether the form came back from the server with what was typed, unsaved. */
  readonly unsaved: boolean;
}

export function BackendForm(props: BackendFormProps) {
  const form = useSignal(props.form);
  const goOn = useSignal({ at: props.focus });
  const interactive = useSignal(false);
  const element = useRef<HTMLFormElement>(null);
  const leaving = useUnsavedGuard(() => props.unsaved || !sameFields(form.value, props.form));

  useEffect(() => {
    interactive.value = true;
  }, []);

  useEffect(() => {
    const { at } = goOn.value;
    if (at !== null) document.getElementById(fieldId(at))?.focus();
  }, [goOn.value]);

  function onInput() {
    if (element.current === null) return;
    const typed = readBackendForm(new FormData(element.current));
    // Custom limits begin with one to fill in.
    const { rate_limit_mode, rate_limits } = typed.settings;
    const needsRow = rate_limit_mode === "custom" && rate_limits.length === 0;
    form.value = (needsRow ? withRowAction(typed, addRow("settings.rate_limits")) : null) ?? typed;
  }

  function onRowAction(action: string) {
    const changed = withRowAction(form.value, action);
    if (changed === null) return;
    form.value = changed;
    goOn.value = { at: fieldAfter(changed, action) };
  }

  const view: FormView = {
    form: form.value,
    errors: props.errors,
    inherited: props.inherited,
    earlier: props.earlier,
    baseUrl: props.baseUrl,
    focus: goOn.value.at,
    interactive: interactive.value,
    onRowAction,
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
      <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">Save</button>
      {props.version !== null && <input type="hidden" name="version" value={props.version} />}
      <ErrorSummary errors={props.errors} labels={fieldTitle} />
      <NameSection view={view} />
      <BackendSection view={view} />
      <HostSection view={view} />
      <PrefixesSection view={view} />
      <AccessSection view={view} />
      <RateLimitSection view={view} />
      <HeadersSection view={view} />
      <TlsSection view={view} />
      <HealthCheckSection view={view} />
      <AdvancedSection view={view} />
      <div class="form-actions save-bar">
        <Button look="primary">Save</Button>
        <ButtonLink href="/admin/backends" look="quiet">Back to the list</ButtonLink>
        <p class="muted small">Saving changes nothing for callers until you publish.</p>
      </div>
    </form>
  );
}

/** Asks before the page is left while `isUnsaved`; whoever sets the result to true may go. */
function useUnsavedGuard(isUnsaved: () => boolean) {
  const leaving = useRef(false);
  const unsaved = useRef(isUnsaved);
  unsaved.current = isUnsaved;
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!leaving.current && unsaved.current()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return leaving;
}

function sameFields(a: Fields, b: Fields): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
