/** The form of an API user. */
import type { ShownForm } from "@/components/fields/posted_form.ts";
import { RecordForm } from "@/components/fields/RecordForm.tsx";
import type { UserForm as Fields } from "@/components/users/user_form.ts";
import { userFieldLabel, userFieldTitle } from "@/components/users/user_labels.ts";
import { userEdits } from "@/components/users/user_rows.ts";
import type { LimitedBackend } from "@/components/users/user_view.ts";
import {
  BackendLimitsSection,
  KeySection,
  LimitsSection,
  NotesSection,
  OriginSection,
  PersonSection,
} from "@/components/users/UserSections.tsx";

interface UserFormProps extends ShownForm<Fields> {
  readonly backends: readonly LimitedBackend[];
  readonly knownRoles: readonly string[];
  /** The version that is edited; null for a user who is not there yet. */
  readonly version: number | null;
  /** What the button says. */
  readonly action: string;
}

export function UserForm({ backends, knownRoles, ...props }: UserFormProps) {
  return (
    <RecordForm
      {...props}
      edits={userEdits}
      labelOf={userFieldLabel}
      titleOf={userFieldTitle}
      back="/admin/users"
      note="Calls go by it within a second."
    >
      {(form, fields) => {
        const view = { ...fields, form, backends, knownRoles };
        return (
          <>
            <PersonSection view={view} />
            <KeySection view={view} />
            <OriginSection view={view} />
            <LimitsSection view={view} />
            <BackendLimitsSection view={view} />
            <NotesSection view={view} />
          </>
        );
      }}
    </RecordForm>
  );
}
