/** The cache: how full it is, what it saves, and giving up what is in it. */
import { page } from "fresh";
import { byteSize, hitRate, purgedWords } from "@/components/cache/cache_words.ts";
import { PurgeForms } from "@/components/cache/PurgeForms.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { Notice } from "@/components/Notice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { type AdminState, defineAdmin } from "@/define.ts";
import type { CacheFigures } from "@/gateway/cache/administration.ts";
import { backendKey } from "@/gateway/compile/backend.ts";
import { websiteBackend } from "@/gateway/compile/websites.ts";
import { correctable, faultInit } from "../../../(_requests)/correctable.ts";
import { type FormFields, readForm } from "../../../(_requests)/form.ts";

interface Shown {
  /** What was purged just now. */
  readonly done: string | null;
  readonly values: FormFields;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  GET({ url }) {
    const values = Object.fromEntries(url.searchParams);
    return page<Shown>({ done: null, values, errors: [] });
  },

  async POST({ req, state }) {
    const form = await readForm(req);
    const [name = "", value = ""] = Object.entries(form).find(([name]) => NAMES.includes(name)) ??
      [];
    try {
      const input = { [name]: name === "all" ? value === "true" : value };
      const { purged } = await state.portico.cache.purge(input);
      const done = purgedWords(purged, whatIs(name, value, state));
      return page<Shown>({ done, values: {}, errors: [] });
    } catch (error) {
      const fault = correctable(error);
      const errors = value === "" ? [{ ...BLANK, field: name }] : fault.errors;
      return page<Shown>({ done: null, values: form, errors }, faultInit(fault));
    }
  },
});

const NAMES = ["backend_id", "prefix", "url", "all"];
const BLANK = { code: "INVALID_INPUT", message: "can't be blank" } as const;

function whatIs(name: string, value: string, state: AdminState): string {
  switch (name) {
    case "backend_id":
      return `of ${backendsOf(state).find(({ key }) => key === value)?.name ?? value}`;
    case "prefix":
      return `below ${value}`;
    case "url":
      return `to ${value}`;
    default:
      return "all that were stored";
  }
}

/** Those that take calls. */
function backendsOf({ portico: { config, publishing } }: AdminState) {
  const published = publishing.live?.backends ?? [];
  const websites = publishing.live?.website_backends ?? [];
  return [
    ...config.apis.map(({ name }) => ({ key: backendKey(null, name), name })),
    ...published.map(({ id, name }) => ({ key: backendKey(id, name), name })),
    ...config.website_backends.map(websiteBackend)
      .map(({ name }) => ({ key: backendKey(null, name), name })),
    ...websites.map((website) => ({ key: website.id, name: websiteBackend(website).name })),
  ].toSorted((a, b) => a.name.localeCompare(b.name));
}

export default defineAdmin.page<typeof handler>(function CachePage({ data, state }) {
  const { done, values, errors } = data;
  const { config, cache } = state.portico;
  return (
    <>
      <PageHead
        title="Cache"
        siteName={config.site_name}
        text="Answers that say how long they are fresh are kept for that long, and given to later callers without asking the backend."
      />
      <div class="stack stack-wide">
        {done !== null && <Notice tone="ok">{done}</Notice>}
        {cache.memory === null ? <NoCache /> : (
          <>
            <Figures figures={cache.figures} />
            <PurgeForms backends={backendsOf(state)} values={values} errors={errors} />
          </>
        )}
      </div>
    </>
  );
});

function NoCache() {
  return (
    <Notice tone="info">
      There is no cache: <code>cache.memory_max_bytes</code> in the configuration file is 0.
    </Notice>
  );
}

function Figures({ figures }: { figures: CacheFigures }) {
  const { entries, bytes, maxBytes } = figures;
  return (
    <section class="form card" aria-label="How full it is">
      <dl class="facts">
        <dt>Stored answers</dt>
        <dd class="mono">{entries.toLocaleString("en")}</dd>
        <dt>Memory</dt>
        <dd class="mono">{byteSize(bytes)} of {byteSize(maxBytes)}</dd>
        <dt>Answered here</dt>
        <dd>{hitRate(figures)}</dd>
      </dl>
    </section>
  );
}
