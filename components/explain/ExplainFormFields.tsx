/** The form that asks about a call. Keys are posted, and never part of a URL. */
import { Button } from "../Button.tsx";
import { ErrorSummary } from "../ErrorSummary.tsx";
import { SelectField, TextArea, TextField } from "../Field.tsx";
import type { FieldErrors } from "../form_errors.ts";
import { Section } from "../Section.tsx";
import type { ExplainForm } from "./explain_form.ts";

const labels: Record<string, string> = {
  method: "Method",
  url: "URL",
  headers: "Headers",
  key: "API key",
  user: "Or an API user",
  address: "From the IP address",
  draft: "Decided by",
};

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

interface ExplainFormFieldsProps {
  readonly form: ExplainForm;
  readonly errors: FieldErrors;
  /** The address that calls from this browser have. */
  readonly ownAddress: string;
}

export function ExplainFormFields({ form, errors, ownAddress }: ExplainFormFieldsProps) {
  const given = (name: keyof ExplainForm) => ({
    name,
    label: labels[name] ?? name,
    value: form[name],
    errors,
  });
  const offered = methods.includes(form.method) ? methods : [...methods, form.method];
  const more = ["headers", "address", "draft"] as const;
  return (
    <form class="form explain-form" method="post" action="/admin/explain" noValidate>
      <ErrorSummary errors={errors} labels={(name) => labels[name] ?? name} />
      <div class="explain-line">
        <SelectField
          {...given("method")}
          options={offered.map((method) => ({ value: method, label: method }))}
        />
        <TextField
          {...given("url")}
          placeholder="/weather/today or https://api.example.org/weather/today"
          mono
          required
        />
      </div>
      <div class="form-pair">
        <TextField
          {...given("key")}
          help="It is not kept, and not shown again."
          mono
          optional
        />
        <TextField
          {...given("user")}
          help="Email address or id, in place of the key."
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          optional
        />
      </div>
      <Section
        title="More"
        set={moreWords(form)}
        open={more.some((name) => form[name] !== "") ||
          errors.some(({ field }) => more.some((name) => name === field))}
      >
        <TextArea
          {...given("headers")}
          help="As in Referer: https://app.example.org/ – one a line."
          rows={3}
          mono
          optional
        />
        <div class="form-pair">
          <TextField
            {...given("address")}
            help={`Empty: your own, ${ownAddress}.`}
            mono
            optional
          />
          <SelectField
            {...given("draft")}
            help="Drafts decide as they would if all were published now."
            options={[{ value: "", label: "What is live" }, { value: "true", label: "The drafts" }]}
          />
        </div>
      </Section>
      <div class="form-actions">
        <Button look="primary">Explain</Button>
        <p class="muted small">Nothing is sent to a backend, counted or recorded.</p>
      </div>
    </form>
  );
}

function moreWords({ headers, address, draft }: ExplainForm): string {
  return [
    headers === "" ? "no headers" : "headers",
    address === "" ? "your address" : address,
    draft === "true" ? "drafts" : "what is live",
  ].join(", ");
}
