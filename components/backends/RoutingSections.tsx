/** The sections of a backend's form that say what it is called and where calls come in. */
import { TextField } from "../Field.tsx";
import { fieldProps } from "../fields/field_view.ts";
import { Rows } from "../fields/Rows.tsx";
import { Section } from "../Section.tsx";
import { exampleCall } from "./example_call.ts";
import { ExampleLines } from "./ExampleLines.tsx";
import { fieldLabel } from "./field_labels.ts";
import type { FormView } from "./form_view.ts";
import { hostSummary, prefixesSummary } from "./section_summaries.ts";
import { unreachedPrefixes } from "./unreached.ts";
import { UnreachedNotice } from "./UnreachedNotice.tsx";

export function NameSection({ view }: { view: FormView }) {
  const { name } = view.form;
  return (
    <Section title="Name" set={name} open>
      <TextField
        {...fieldProps(view, "name", name)}
        label={fieldLabel("name")}
        help="What callers see on the homepage, and you in Analytics."
        maxLength={255}
        autocomplete="off"
        required
      />
    </Section>
  );
}

export function HostSection({ view }: { view: FormView }) {
  const { form } = view;
  return (
    <Section title="Host" set={hostSummary(form)} open>
      <div class="form-pair">
        <TextField
          {...fieldProps(view, "frontend_host", form.frontend_host)}
          label={fieldLabel("frontend_host")}
          help={
            <>
              The host that callers name. <code>*</code> takes any.
            </>
          }
          mono
        />
        <TextField
          {...fieldProps(view, "backend_host", form.backend_host)}
          label={fieldLabel("backend_host")}
          help={<BackendHostHelp view={view} />}
          mono
          optional
        />
      </div>
    </Section>
  );
}

/** Services that share an address tell each other apart by the host they are asked for. */
function BackendHostHelp({ view }: { view: FormView }) {
  const [server] = view.form.servers;
  const name = server?.host.trim() ?? "";
  return (
    <>
      The host that the backend is asked for. Empty passes the caller's on
      {/[a-z]/i.test(name) && !name.includes(":")
        ? (
          <>
            ; most public services want <code>{name}</code>.
          </>
        )
        : "."}
    </>
  );
}

export function PrefixesSection({ view }: { view: FormView }) {
  const { form, earlier, baseUrl } = view;
  return (
    <Section title="Matching URL prefixes" set={prefixesSummary(form)} open>
      <p class="field-help">
        Calls whose path begins with the frontend prefix come here; the backend prefix takes its
        place. End both with a slash, or <code>/v1</code> also matches <code>/v10</code>.
      </p>
      <Rows view={view} list="url_matches" rows={form.url_matches} noun="prefix pair" atLeastOne>
        {(row, path) => (
          <>
            <TextField
              {...fieldProps(view, `${path}.frontend_prefix`, row.frontend_prefix)}
              label={fieldLabel(`${path}.frontend_prefix`)}
              placeholder="/weather/"
              mono
              required
            />
            <TextField
              {...fieldProps(view, `${path}.backend_prefix`, row.backend_prefix)}
              label={fieldLabel(`${path}.backend_prefix`)}
              placeholder={row.frontend_prefix.trim() || "/"}
              mono
              optional
            />
            <ExampleLines example={exampleCall(form, row, baseUrl)} />
            <UnreachedNotice
              prefixes={unreachedPrefixes({ ...form, url_matches: [row] }, earlier)}
            />
          </>
        )}
      </Rows>
    </Section>
  );
}
