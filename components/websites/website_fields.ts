/** Between the record of a website backend and the form that shows it. */
import type { WebsiteBackend } from "@/gateway/records/website.ts";
import { numeric } from "../fields/field_text.ts";

/** What stands in the form. */
export interface WebsiteFields {
  readonly frontend_host: string;
  readonly backend_protocol: string;
  readonly server_host: string;
  readonly server_port: string;
  /** Of the record the form was made from; empty for a new one. */
  readonly version: string;
}

export const newWebsite: WebsiteFields = {
  frontend_host: "",
  backend_protocol: "http",
  server_host: "",
  server_port: "80",
  version: "",
};

export function fieldsOfWebsite(website: WebsiteBackend): WebsiteFields {
  const { frontend_host, backend_protocol, server_host, server_port, version } = website;
  return {
    frontend_host,
    backend_protocol,
    server_host,
    server_port: String(server_port),
    version: String(version),
  };
}

/** What was typed. */
export function typedWebsite(form: Readonly<Record<string, string>>): WebsiteFields {
  const names = Object.keys(newWebsite) as (keyof WebsiteFields)[];
  return { ...newWebsite, ...Object.fromEntries(names.map((name) => [name, form[name] ?? ""])) };
}

/** The record as it is to be validated; what is empty is left out. */
export function websiteRecord(fields: WebsiteFields) {
  const { frontend_host, backend_protocol, server_host, server_port } = fields;
  return {
    frontend_host: frontend_host.trim() || undefined,
    backend_protocol,
    server_host: server_host.trim() || undefined,
    server_port: numeric(server_port),
  };
}
