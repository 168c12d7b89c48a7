/** Giving up stored answers: a form for each way to say which. */
import type { ComponentChildren } from "preact";
import { Button } from "../Button.tsx";
import { SelectField, TextField } from "../Field.tsx";
import type { FieldErrors } from "../form_errors.ts";

interface PurgeFormsProps {
  /** Those that have answers to give up: `backendKey` and name. */
  readonly backends: readonly { readonly key: string; readonly name: string }[];
  /** What was typed or chosen, by field. */
  readonly values: Readonly<Record<string, string>>;
  readonly errors: FieldErrors;
}

export function PurgeForms({ backends, values, errors }: PurgeFormsProps) {
  const textField = (name: string) => ({ name, value: values[name] ?? "", errors, mono: true });
  return (
    <section class="form card" aria-labelledby="purge">
      <h2 id="purge">Purge</h2>
      <p>
        Give up stored answers before they are stale. It acts at once and everywhere; the next call
        for each goes to its backend again.
      </p>
      <div class="stack stack-wide">
        {backends.length > 0 && (
          <PurgeForm action="Purge the backend">
            <SelectField
              name="backend_id"
              label="Backend"
              help="All answers of it."
              value={values.backend_id ?? ""}
              options={backends.map(({ key, name }) => ({ value: key, label: name }))}
              errors={errors}
            />
          </PurgeForm>
        )}
        <PurgeForm action="Purge the prefix">
          <TextField
            {...textField("prefix")}
            label="Prefix"
            help="Everything below it, as callers see it: https://api.example.org/shop/, or /shop/ at any host."
            placeholder="/shop/"
            required
          />
        </PurgeForm>
        <PurgeForm action="Purge the URL">
          <TextField
            {...textField("url")}
            label="URL"
            help="One, with its query, without the API key; all variants of its answer."
            placeholder="/shop/things?page=2"
            required
          />
        </PurgeForm>
        <PurgeForm action="Purge everything" look="danger">
          <input type="hidden" name="all" value="true" />
          <p>All stored answers. For a while every call goes to its backend.</p>
        </PurgeForm>
      </div>
    </section>
  );
}

interface PurgeFormProps {
  readonly action: string;
  readonly look?: "danger";
  readonly children: ComponentChildren;
}

function PurgeForm({ action, look, children }: PurgeFormProps) {
  return (
    <form class="stack" method="post" action="/admin/cache">
      {children}
      <div>
        <Button look={look ?? "secondary"}>{action}</Button>
      </div>
    </form>
  );
}
