/**
 * A website backend: the server that has everything on a host that is no API, and no
 * page of Portico's own. Calls to it need no key, are not limited and not recorded.
 */
import * as v from "valibot";
import type { DraftStamps } from "./stamps.ts";
import { field, host, hostPattern, oneOf, port } from "./fields.ts";

/** What an admin sends to create or replace a website backend. */
export const websiteBackendInput = v.strictObject({
  frontend_host: field(
    hostPattern,
    "Host that is asked for: a name, *.example.com, .example.com, or * for any. Each has one " +
      "website at most, and the longest that matches has it.",
  ),
  backend_protocol: field(
    v.nullish(oneOf("http", "https"), "http"),
    "How the server is spoken to: http or https.",
  ),
  server_host: field(host, "Host name or IP address of the server."),
  server_port: field(port, "Port of the server."),
});

export type WebsiteBackendInput = v.InferOutput<typeof websiteBackendInput>;

export type WebsiteBackend = WebsiteBackendInput & DraftStamps;
