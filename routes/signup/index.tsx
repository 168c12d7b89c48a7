/**
 * Sign-up: a form for people, and the same fields as JSON for programs. The key
 * is in the answer and nowhere else; it cannot be shown again.
 */
import { page } from "fresh";
import { IssuedKey } from "@/components/IssuedKey.tsx";
import { PublicShell } from "@/components/PublicShell.tsx";
import { liveApis, type PublishedApi } from "@/components/published_api.ts";
import { SignupForm } from "@/components/SignupForm.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { define, type State } from "@/define.ts";
import { readBody } from "@/gateway/api/body.ts";
import { respondFault } from "@/gateway/api/respond.ts";
import { Fault } from "@/gateway/faults.ts";
import { correctable, faultInit } from "../(_requests)/correctable.ts";
import { refuseCrossOrigin } from "../(_requests)/cross_origin.ts";
import { type FormFields, readForm } from "../(_requests)/form.ts";
import { refusePlainHttp } from "../(_requests)/plain_http.ts";

type Shown =
  | { readonly key: null; readonly values: FormFields; readonly errors: FieldErrors }
  | { readonly key: string; readonly apis: readonly PublishedApi[] };

export const handler = define.handlers({
  GET(ctx) {
    if (!ctx.url.pathname.endsWith("/")) return ctx.redirect("/signup/", 308);
    return page<Shown>({ key: null, values: {}, errors: [] });
  },

  async POST(ctx) {
    if (isJson(ctx.req)) return await answerJson(ctx.state, ctx.req);
    refusePlainHttp(ctx.state, "/signup/");
    refuseCrossOrigin(ctx.state, ctx.req, "/signup/");
    const values = await readForm(ctx.req);
    try {
      const { portico, client } = ctx.state;
      const { api_key } = await portico.users.signUp(values, {
        address: client.address,
        source: "web",
      });
      const shown: Shown = { key: api_key, apis: liveApis(portico, client.baseUrl) };
      return page(shown, { headers: { "cache-control": "no-store" } });
    } catch (error) {
      const fault = correctable(error);
      const shown: Shown = { key: null, values, errors: fault.errors };
      return page(shown, faultInit(fault));
    }
  },
});

function isJson(request: Request): boolean {
  return /^application\/([a-z.+-]+\+)?json\b/i.test(request.headers.get("content-type") ?? "");
}

async function answerJson(state: State, request: Request): Promise<Response> {
  const { portico, client } = state;
  try {
    refuseCrossOrigin(state, request, "/signup/");
    const issued = await portico.users.signUp(await readBody(request, false), {
      address: client.address,
      source: "api",
    });
    return Response.json(issued, { status: 201, headers: { "cache-control": "no-store" } });
  } catch (error) {
    if (error instanceof Fault) return respondFault(error, request.method, "");
    throw error;
  }
}

export default define.page<typeof handler>(function Signup({ data, state, url }) {
  return (
    <PublicShell
      title={data.key === null ? "Get an API key" : "Your API key"}
      state={state}
      url={url}
    >
      {data.key === null
        ? (
          <SignupForm
            values={data.values}
            errors={data.errors}
            contactUrl={state.portico.config.contact_url}
            termsUrl={state.portico.config.signup.terms_url}
          />
        )
        : (
          <IssuedKey
            apiKey={data.key}
            apis={data.apis}
            baseUrl={state.client.baseUrl}
            methods={state.portico.config.gatekeeper.api_key_methods}
          />
        )}
    </PublicShell>
  );
});
