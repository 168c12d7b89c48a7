/**
 * The shapes that the API takes and gives, by the names they have in its
 * description. What it takes are the very schemas that validate.
 */
import * as v from "valibot";
import { setupInput } from "../admins/accounts.ts";
import { purgeInput } from "../cache/purge_target.ts";
import type { Configuration } from "../config/configuration.ts";
import { explainInput, explanation } from "../explain/explanation.ts";
import { publishInput } from "../publish/publishing.ts";
import { credentials, tokenInput } from "../records/admin.ts";
import { backendInput } from "../records/backend.ts";
import { field } from "../records/fields.ts";
import {
  type LogField,
  logFields,
  numericLogFields,
  requiredLogFields,
} from "../records/log_row.ts";
import { userInput } from "../records/user.ts";
import { websiteBackendInput } from "../records/website.ts";

export type InputSchemaName =
  | "Setup"
  | "Credentials"
  | "TokenInput"
  | "BackendInput"
  | "WebsiteBackendInput"
  | "PublishInput"
  | "UserInput"
  | "ExplainInput"
  | "PurgeInput";

export function inputSchemas(config: Configuration): Record<InputSchemaName, v.GenericSchema> {
  return {
    Setup: setupInput(config.web.admin.password_length_min),
    Credentials: credentials,
    TokenInput: tokenInput,
    BackendInput: backendInput,
    WebsiteBackendInput: websiteBackendInput,
    PublishInput: publishInput,
    UserInput: userInput,
    ExplainInput: explainInput,
    PurgeInput: purgeInput,
  };
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const time = v.pipe(v.string(), v.isoTimestamp());

const error = v.object({
  errors: v.array(v.object({
    code: v.string(),
    message: v.string(),
    field: v.optional(v.string()),
  })),
});

const stamps = {
  id: v.string(),
  created_at: time,
  created_by: v.string(),
  updated_at: time,
  updated_by: v.string(),
  version: count,
};

const admin = v.object({
  id: v.string(),
  username: v.string(),
  created_at: time,
  updated_at: time,
  version: count,
});

const token = v.object({
  id: v.string(),
  admin_id: v.string(),
  name: v.string(),
  token_preview: v.string(),
  created_at: time,
  last_used_at: v.nullable(time),
});

const backend = v.object({ ...backendInput.entries, ...stamps, created_order: count });

const website = v.object({ ...websiteBackendInput.entries, ...stamps, created_order: count });

const occurrence = { at: time, message: v.string() };

const serverHealth = v.object({
  name: field(v.string(), "host:port"),
  addresses: field(v.array(v.string()), "IP addresses that the host leads to, once it was asked."),
  dns_failure: field(v.nullable(v.string()), "Why the host could not be resolved the last time."),
  busy: field(count, "Calls that it carries."),
  idle: field(count, "Connections that wait for a call."),
  condition: field(
    v.picklist(["up", "left_out", "unhealthy", "partly_up"]),
    "up: it gets calls. left_out: it failed, and is tried again at left_out_until. unhealthy: " +
      "it fails its health checks, and gets calls when no other remains. partly_up: Portico's " +
      "workers do not hold the same of it.",
  ),
  failures: field(count, "Times in a row that it was left out."),
  left_out_until: v.nullable(time),
  last_failure: field(
    v.nullable(v.object(occurrence)),
    "The last time that it could not be connected to or gave no answer.",
  ),
  last_check: field(
    v.nullable(v.object({ ...occurrence, passed: v.boolean() })),
    "The last health check.",
  ),
  up_in: field(count, "Workers in which it gets calls."),
  isolates: field(count, "Workers that have told of it."),
});

const user = v.object({
  ...userInput.entries,
  ...stamps,
  api_key_preview: v.string(),
  registration_source: v.picklist(["web", "api", "admin"]),
  registration_ip: v.nullable(v.string()),
});

const change = v.object({
  id: v.string(),
  kind: v.picklist(["backend", "website_backend"]),
  name: v.string(),
  change: v.picklist(["new", "modified", "deleted"]),
  fields: v.array(v.object({
    path: v.string(),
    before: v.nullable(v.string()),
    after: v.nullable(v.string()),
  })),
  changed_at: time,
  changed_by: v.string(),
});

const alwaysLogged: ReadonlySet<LogField> = new Set(requiredLogFields);

function logFieldSchema(field: LogField): v.GenericSchema {
  if (field === "request_at") return time;
  const schema = numericLogFields.has(field) ? v.number() : v.string();
  return alwaysLogged.has(field) ? schema : v.optional(schema);
}

const logEntry = v.object({
  ...Object.fromEntries(logFields.map((field) => [field, logFieldSchema(field)])),
  request_url: v.string(),
});

const cacheFigures = v.object({
  entries: field(count, "Answers that are stored."),
  bytes: field(count, "What they take."),
  max_bytes: field(count, "What they may take; 0: there is no cache."),
  hits: field(count, "Calls answered out of the cache since the start."),
  misses: field(count, "Calls that could have been, and that backends answered."),
});

const histogram = v.object({
  start_at: time,
  end_at: time,
  interval_seconds: v.number(),
  buckets: v.array(v.object({
    start_at: time,
    end_at: time,
    counts: v.object({ "1xx": count, "2xx": count, "3xx": count, "4xx": count, "5xx": count }),
  })),
});

function listOf(name: string, item: v.GenericSchema) {
  return v.object({
    [name]: v.array(item),
    next_cursor: v.nullable(v.string()),
    total: count,
  });
}

export const answerSchemas = {
  Error: error,
  Admin: admin,
  SetupResult: v.object({ admin, token: v.string() }),
  LoginResult: v.object({ admin }),
  Token: token,
  TokenList: listOf("tokens", token),
  NewToken: v.object({ id: v.string(), name: v.string(), token: v.string() }),
  Backend: backend,
  BackendList: listOf("backends", backend),
  WebsiteBackend: website,
  WebsiteBackendList: listOf("website_backends", website),
  BackendHealth: v.object({ servers: v.array(serverHealth) }),
  Change: change,
  Changes: v.object({ changes: v.array(change) }),
  Published: v.object({ version: count }),
  User: user,
  UserList: listOf("users", user),
  NewUser: v.object({ ...user.entries, api_key: v.string() }),
  CacheFigures: cacheFigures,
  Purged: v.object({ purged: field(count, "Answers that were given up.") }),
  LogEntry: logEntry,
  LogList: listOf("logs", logEntry),
  Histogram: histogram,
  Explanation: explanation,
} satisfies Record<string, v.GenericSchema>;

export type AnswerSchemaName = keyof typeof answerSchemas;
