/** One call on a page of its own, to be linked to. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { EntryFacts } from "@/components/logs/EntryFacts.tsx";
import { LOGS_PATH } from "@/components/logs/log_urls.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { Time } from "@/components/Time.tsx";
import { defineAdmin } from "@/define.ts";
import { Fault } from "@/gateway/faults.ts";

export const handler = defineAdmin.handlers({
  async GET({ state, params }) {
    const entry = await state.portico.callLog.find(params.request_id ?? "");
    if (entry === null) {
      throw new Fault(
        "NOT_FOUND",
        "The log has no call with this request id: it may be older than the log is kept.",
      );
    }
    return page(entry);
  },
});

/** The call may be as old as the log is long. */
const searchOn = new URLSearchParams({ range: "30d" });

export default defineAdmin.page<typeof handler>(function CallPage({ data: entry, state }) {
  return (
    <>
      <PageHead
        title="One call"
        siteName={state.portico.config.site_name}
        text={<Time at={entry.request_at} />}
        action={<ButtonLink href={LOGS_PATH}>Go to all calls</ButtonLink>}
      />
      <section class="card entry-page" aria-labelledby="in-full">
        <h2 id="in-full" class="visually-hidden">The call in full</h2>
        <EntryFacts entry={entry} params={searchOn} />
      </section>
    </>
  );
});
