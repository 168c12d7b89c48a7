import assert from "node:assert/strict";
import { ErrorAnswers } from "@/gateway/refusal/error_answers.ts";
import { Refusal } from "@/gateway/refusal/refusals.ts";
import { renderRefusal } from "@/gateway/refusal/render.ts";
import { settingFields } from "./table.ts";

const none = { common: new Map(), byRefusal: new Map(), templates: new Map() };

/** What a caller without a key is answered in a format. */
function refused(format: string, answers: ErrorAnswers): string {
  const links = {
    base_url: "https://api.example",
    signup_url: "https://api.example/signup/?a=1&b=2",
    contact_url: "https://api.example/contact/",
    contact_page: null,
    home_url: "https://api.example/",
    https_url: "https://api.example/",
  };
  const context = {
    requestId: "id-1",
    path: `/x.${format}`,
    query: null,
    accept: null,
    siteName: "Example",
    apiKeyMethods: ["header"],
    links,
  } as const;
  return renderRefusal(new Refusal("API_KEY_MISSING"), context, answers).body.trim();
}

Deno.test("the templates that the form shows as built in give what is built in", () => {
  for (const format of ["json", "xml", "csv"] as const) {
    const { builtIn } = settingFields[`error_templates.${format}`];
    const own = new ErrorAnswers({ ...none, templates: new Map([[format, builtIn]]) });
    assert.equal(refused(format, own), refused(format, new ErrorAnswers(none)), format);
  }
});

Deno.test("help is one sentence", () => {
  for (const [name, { help }] of Object.entries(settingFields)) {
    assert.match(help, /^[\p{L}{][^]*[^.]\.$/u, name);
    assert.doesNotMatch(help, /[.!?] \p{Lu}/u, name);
  }
});
