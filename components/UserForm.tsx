/** The form of an API user, for a new one and for changes. */
import { Button, ButtonLink } from "./Button.tsx";
import { ErrorSummary } from "./ErrorSummary.tsx";
import { Checkbox, TextArea, TextField } from "./Field.tsx";
import type { FieldErrors } from "./form_errors.ts";
import type { UserFields } from "./user_fields.ts";

const labels: Record<string, string> = {
  email: "Email",
  first_name: "First name",
  last_name: "Last name",
  use_description: "How the APIs are used",
  roles: "Roles",
  enabled: "The key is enabled",
  throttle_by_ip: "Calls are counted by IP address",
};

interface UserFormProps {
  readonly fields: UserFields;
  readonly errors: FieldErrors;
  /** What the button says. */
  readonly action: string;
}

/** Posts to the page it is on. */
export function UserForm({ fields, errors, action }: UserFormProps) {
  const field = (name: string) => ({ name, label: labels[name] ?? name, errors });
  return (
    <form class="form" method="post" noValidate>
      <ErrorSummary errors={errors} labels={(name) => labels[name] ?? name} />
      {fields.version !== "" && <input type="hidden" name="version" value={fields.version} />}
      <TextField
        {...field("email")}
        type="email"
        value={fields.email}
        maxLength={255}
        autocomplete="off"
        required
      />
      <div class="form-pair">
        <TextField
          {...field("first_name")}
          value={fields.first_name}
          maxLength={80}
          autocomplete="off"
          required
        />
        <TextField
          {...field("last_name")}
          value={fields.last_name}
          maxLength={80}
          autocomplete="off"
          required
        />
      </div>
      <TextArea
        {...field("use_description")}
        value={fields.use_description}
        maxLength={2000}
        optional
      />
      <TextField
        {...field("roles")}
        help="Separated by commas. A backend may ask for roles; a key without them is refused there."
        value={fields.roles}
        autocomplete="off"
        optional
        mono
      />
      <Checkbox
        {...field("enabled")}
        help="Calls with a disabled key are refused within a second."
        checked={fields.enabled}
      />
      <Checkbox
        {...field("throttle_by_ip")}
        help="For a key that many people share, as in a page's script: rate limits by API key then count each address by itself."
        checked={fields.throttle_by_ip}
      />
      <div class="form-actions">
        <Button look="primary">{action}</Button>
        <ButtonLink href="/admin/users" look="quiet">Cancel</ButtonLink>
      </div>
    </form>
  );
}
