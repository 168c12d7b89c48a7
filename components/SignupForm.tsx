/** The sign-up form: five fields, and what happens with the data. */
import { Button } from "./Button.tsx";
import { ErrorSummary } from "./ErrorSummary.tsx";
import { Checkbox, TextArea, TextField } from "./Field.tsx";
import type { FieldErrors } from "./form_errors.ts";

const labels: Record<string, string> = {
  email: "Email",
  first_name: "First name",
  last_name: "Last name",
  use_description: "How will you use the APIs?",
  terms_and_conditions: "The terms and conditions",
};

interface SignupFormProps {
  /** What was typed before, by field. */
  readonly values: Readonly<Record<string, string>>;
  readonly errors: FieldErrors;
  /** Where to ask the operator; empty if the configuration names no place. */
  readonly contactUrl: string;
  /** The page of the terms; empty if there is none. */
  readonly termsUrl: string;
}

export function SignupForm({ values, errors, contactUrl, termsUrl }: SignupFormProps) {
  const field = (name: string) => ({
    name,
    label: labels[name] ?? name,
    value: values[name] ?? "",
    errors,
  });
  return (
    <>
      <header class="public-intro">
        <h1>Get an API key</h1>
        <p class="lead">One short form. The key is yours at once, and shown on the next page.</p>
      </header>
      {/* The server checks, so that every error is in the page and stays there. */}
      <form class="form" method="post" action="/signup/" noValidate>
        <ErrorSummary errors={errors} labels={(name) => labels[name] ?? name} />
        <TextField {...field("email")} type="email" autocomplete="email" maxLength={255} required />
        <div class="form-pair">
          <TextField {...field("first_name")} autocomplete="given-name" maxLength={80} required />
          <TextField {...field("last_name")} autocomplete="family-name" maxLength={80} required />
        </div>
        <TextArea
          {...field("use_description")}
          help="A sentence is enough. It tells us what to keep working."
          maxLength={2000}
          optional
        />
        <Checkbox
          name="terms_and_conditions"
          label={labels.terms_and_conditions ?? ""}
          caption={<Agreement termsUrl={termsUrl} />}
          help={contactUrl === "" ? undefined : (
            <>
              Questions about them? <a href={contactUrl}>Ask us</a>.
            </>
          )}
          errors={errors}
          checked={values.terms_and_conditions !== undefined}
          required
        />
        <p class="muted small">
          What you enter is stored on this server with your key and the address you sign up from, so
          that we know who calls and can reach you.
        </p>
        <div class="form-actions">
          <Button look="primary">Get my API key</Button>
        </div>
      </form>
    </>
  );
}

/** The terms by their link; without one, no page is claimed that nobody could read. */
function Agreement({ termsUrl }: { termsUrl: string }) {
  if (termsUrl === "") return <>I agree to use the APIs fairly and as their publisher asks</>;
  return (
    <>
      I agree to the{" "}
      <a href={termsUrl} target="_blank" rel="noopener">
        terms and conditions <span class="visually-hidden">(opens a new tab)</span>
      </a>
    </>
  );
}
