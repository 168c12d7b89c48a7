/** The whole result of a search in the log as a CSV file, read while it is sent. */
import { logQuery, readLogSearch } from "@/components/logs/log_search.ts";
import { defineAdmin } from "@/define.ts";

export const handler = defineAdmin.handlers({
  GET({ state, url }) {
    const now = Date.now();
    const day = new Date(now).toISOString().slice(0, 10);
    return new Response(state.portico.callLog.csv(logQuery(readLogSearch(url, now))), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="portico_logs_${day}.csv"`,
      },
    });
  },
});
