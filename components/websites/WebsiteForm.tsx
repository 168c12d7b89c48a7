/** The form of a website backend, for a new one and for changes. */
import { Button, ButtonLink } from "../Button.tsx";
import { fieldLabel } from "../backends/field_labels.ts";
import { ErrorSummary } from "../ErrorSummary.tsx";
import { SelectField, TextField } from "../Field.tsx";
import type { FieldErrors } from "../form_errors.ts";
import type { WebsiteFields } from "./website_fields.ts";

interface WebsiteFormProps {
  readonly fields: WebsiteFields;
  readonly errors: FieldErrors;
}

const protocols = [{ value: "http", label: "http" }, { value: "https", label: "https" }];

/** Posts to the page it is on. */
export function WebsiteForm({ fields, errors }: WebsiteFormProps) {
  const field = (name: keyof WebsiteFields) => (
    { name, label: fieldLabel(name), value: fields[name], errors, required: true }
  );
  return (
    <form class="form" method="post" noValidate>
      <ErrorSummary errors={errors} labels={fieldLabel} />
      {fields.version !== "" && <input type="hidden" name="version" value={fields.version} />}
      <TextField
        {...field("frontend_host")}
        help={
          <>
            The host that visitors ask for: <code>www.example.org</code>, <code>*.example.org</code>
            {" "}
            for all below it, <code>.example.org</code> for both, <code>*</code>{" "}
            for any. It has its website at <code>/</code> too, in place of Portico's homepage.
          </>
        }
        maxLength={255}
        mono
      />
      <SelectField {...field("backend_protocol")} options={protocols} />
      <div class="form-pair">
        <TextField {...field("server_host")} maxLength={255} mono />
        <TextField {...field("server_port")} inputMode="numeric" mono />
      </div>
      <div class="form-actions">
        <Button look="primary">Save</Button>
        <ButtonLink href="/admin/websites" look="quiet">Back to the list</ButtonLink>
        <p class="muted small">Saving changes nothing for visitors until you publish.</p>
      </div>
    </form>
  );
}
