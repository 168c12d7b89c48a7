/** The record of calls: pages of it, one call, a chart, CSV. */
import { Fault } from "../faults.ts";
import { logFields } from "../records/log_row.ts";
import type { Operation, QueryParameter } from "./operation.ts";
import { pageParameters } from "./paging.ts";

const tag = "Analytics";

const time = { type: "string", format: "date-time" };

/** Which calls: what a chart and CSV take, and a list besides its page. */
const filterParameters: readonly QueryParameter[] = [
  { name: "start_at", description: "Calls answered at this time or later.", schema: time },
  { name: "end_at", description: "Calls answered before this time.", schema: time },
  ...logFields.map((name) => ({
    name,
    description: "A value, a pattern such as `*bot*`, a comparison such as `>=400`, a range such " +
      "as `400..499`; `!` in front negates. Given several times, any may hold.",
    schema: { type: "array", items: { type: "string" } },
  })),
];

export const logOperations: readonly Operation[] = [
  {
    name: "listLogs",
    method: "GET",
    path: "/v1/logs",
    tag,
    summary: "List calls, newest first.",
    auth: "admin",
    query: [...pageParameters, ...filterParameters],
    answer: { status: 200, description: "A page of calls", schema: "LogList" },
    handle: async ({ portico, query }) => ({ body: await portico.callLog.query(query) }),
  },
  {
    name: "getLog",
    method: "GET",
    path: "/v1/logs/{request_id}",
    tag,
    summary: "Read one call.",
    auth: "admin",
    answer: { status: 200, description: "The call", schema: "LogEntry" },
    handle: async ({ portico, id }) => {
      const entry = await portico.callLog.find(id);
      if (entry === null) throw new Fault("NOT_FOUND", "The log has no call with this request id.");
      return { body: entry };
    },
  },
  {
    name: "exportLogs",
    method: "GET",
    path: "/v1/logs.csv",
    tag,
    summary: "Every call that a list would show on all its pages, as CSV.",
    auth: "admin",
    query: filterParameters,
    answer: { status: 200, description: "A line for each call", mediaType: "text/csv" },
    handle: ({ portico, query }) =>
      Promise.resolve({
        body: portico.callLog.csv(query),
        headers: { "content-disposition": 'attachment; filename="logs.csv"' },
      }),
  },
  {
    name: "countLogs",
    method: "GET",
    path: "/v1/logs/histogram",
    tag,
    summary: "Count calls by status class over equal stretches of time.",
    auth: "admin",
    query: filterParameters,
    answer: { status: 200, description: "The counts, in the order of time", schema: "Histogram" },
    handle: async ({ portico, query }) => ({ body: await portico.callLog.histogram(query) }),
  },
];
