/** What is asked about a call on its page, as it was typed; and what of it may come back. */
import { withoutApiKeyInUrl } from "@/gateway/exchange/api_key.ts";

export interface ExplainForm {
  readonly method: string;
  readonly url: string;
  /** `Name: value`, one a line. */
  readonly headers: string;
  /** An API key in clear; never shown again. */
  readonly key: string;
  /** Email address or id of an API user, in place of a key. */
  readonly user: string;
  readonly address: string;
  /** "true": the drafts decide. */
  readonly draft: string;
}

export function readExplainForm(fields: Readonly<Record<string, string>>): ExplainForm {
  const text = (name: keyof ExplainForm) => (fields[name] ?? "").trim();
  return {
    method: text("method") || "GET",
    url: text("url"),
    headers: text("headers").replaceAll("\r\n", "\n"),
    key: text("key"),
    user: text("user"),
    address: text("address"),
    draft: text("draft"),
  };
}

export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** The lines of the field; one without a colon has an empty name, and is refused for it. */
export function headerLines(headers: string): HeaderLine[] {
  return headers.split("\n").filter((line) => line.trim() !== "").map((line) => {
    const colon = line.indexOf(":");
    return { name: line.slice(0, Math.max(0, colon)).trim(), value: line.slice(colon + 1).trim() };
  });
}

const SECRET_HEADERS = new Set(["x-api-key", "authorization", "proxy-authorization", "cookie"]);

const REMOVED = "[removed]";

/** The headers of the call that was asked about, with what is secret in them taken out. */
export function askedHeaders(form: ExplainForm, ownHost: string): Record<string, string> {
  const host = /^https?:\/\/([^/?#]+)/i.exec(form.url)?.[1] ?? ownHost;
  const typed = headerLines(form.headers).map(({ name, value }): [string, string] => [
    name.toLowerCase(),
    SECRET_HEADERS.has(name.toLowerCase()) ? REMOVED : value,
  ]);
  const key: [string, string][] = form.key === "" ? [] : [["x-api-key", REMOVED]];
  return Object.fromEntries([["host", host], ...typed, ...key]);
}

/** The form without whatever is secret in it, to be shown again; `user` is who held the key. */
export function shownAgain(form: ExplainForm, user: string): ExplainForm {
  const lines = headerLines(form.headers)
    .filter(({ name }) => !SECRET_HEADERS.has(name.toLowerCase()))
    .map(({ name, value }) => `${name}: ${value}`);
  return {
    ...form,
    url: withoutApiKeyInUrl(form.url),
    headers: lines.join("\n"),
    key: "",
    user: form.user === "" ? user : form.user,
  };
}
