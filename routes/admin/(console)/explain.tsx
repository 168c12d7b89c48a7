/**
 * Why a call is treated as it is. A link may name the call, without any key: then it
 * is explained at once.
 */
import { page } from "fresh";
import { ExplainFormFields } from "@/components/explain/ExplainFormFields.tsx";
import {
  askedHeaders,
  type ExplainForm,
  readExplainForm,
  shownAgain,
} from "@/components/explain/explain_form.ts";
import { explainErrors, explainInput } from "@/components/explain/explain_input.ts";
import { ExplanationView } from "@/components/explain/ExplanationView.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { type AdminState, defineAdmin } from "@/define.ts";
import type { Explanation } from "@/gateway/explain/explanation.ts";
import { correctable } from "../../(_requests)/correctable.ts";
import { readForm } from "../../(_requests)/form.ts";

interface Shown {
  readonly form: ExplainForm;
  readonly errors: FieldErrors;
  /** Null until a call was asked about. */
  readonly explanation: Explanation | null;
  /** Of the call that was asked about. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What is in a link is nobody's secret: a key there is not read. */
const linked = ["method", "url", "user", "address", "draft"];

export const handler = defineAdmin.handlers({
  async GET({ state, url }) {
    const given = [...url.searchParams].filter(([name]) => linked.includes(name));
    const form = readExplainForm(Object.fromEntries(given));
    const shown = form.url === ""
      ? { form, errors: [], explanation: null, headers: {} }
      : await asked(form, state);
    return page<Shown>(shown);
  },

  async POST({ req, state }) {
    const shown = await asked(readExplainForm(await readForm(req)), state);
    return page<Shown>(shown, {
      status: shown.errors.length === 0 ? 200 : 422,
      headers: { "cache-control": "no-store" },
    });
  },
});

async function asked(form: ExplainForm, { portico, client }: AdminState): Promise<Shown> {
  const headers = askedHeaders(form, client.host);
  try {
    const input = await explainInput(form, portico.users);
    const explanation = await portico.explainer.explain(input, client);
    const user = explanation.user?.id ?? "";
    return { form: shownAgain(form, user), errors: [], explanation, headers };
  } catch (error) {
    const { errors } = correctable(error);
    return {
      form: shownAgain(form, ""),
      errors: explainErrors(errors),
      explanation: null,
      headers,
    };
  }
}

export default defineAdmin.page<typeof handler>(function ExplainPage({ data, state }) {
  const { form, errors, explanation, headers } = data;
  const { client, portico } = state;
  const base = `${client.scheme}://${client.host}`;
  return (
    <>
      <PageHead
        title="Explain a call"
        siteName={portico.config.site_name}
        text="Why a call is let in or refused, by which rule, and what the backend would get."
      />
      <ExplainFormFields form={form} errors={errors} ownAddress={client.address} />
      {explanation !== null && (
        <ExplanationView
          explanation={explanation}
          asked={{
            method: form.method,
            url: form.url.startsWith("/") ? base + form.url : form.url,
            headers,
          }}
        />
      )}
    </>
  );
});
