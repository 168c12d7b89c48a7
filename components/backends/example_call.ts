/**
 * What a prefix pair does to a call, shown by an example: the URL that comes in
 * and the one that goes out, in pieces of which those that differ are marked.
 */
import { callUrl } from "../call_url.ts";
import type { BackendForm, PrefixFields, ServerFields } from "./backend_form.ts";
import { pastedUrl } from "./pasted_url.ts";

export interface UrlPiece {
  readonly text: string;
  /** Whether the other URL has something else in this place. */
  readonly differs: boolean;
}

export interface ExampleCall {
  readonly incoming: readonly UrlPiece[];
  readonly outgoing: readonly UrlPiece[];
}

const REST = "example?page=2";

/**
 * The example for one pair, or null as long as it has no frontend prefix or there
 * is no server. `baseUrl` is this server's, as callers see it.
 */
export function exampleCall(
  form: BackendForm,
  { frontend_prefix, backend_prefix }: PrefixFields,
  baseUrl: string,
): ExampleCall | null {
  const server = form.servers.find(({ host }) => host.trim() !== "");
  const prefix = frontend_prefix.trim();
  if (server === undefined || !prefix.startsWith("/")) return null;
  const rest = prefix.endsWith("/") ? REST : `/${REST}`;
  const incoming = [...origin(callUrl(baseUrl, form.frontend_host.trim() || "*", "")), prefix];
  const outgoing = [
    ...origin(`${form.backend_protocol}://${authority(server)}`),
    backend_prefix.trim() === "" ? prefix : backend_prefix.trim(),
  ];
  return { incoming: pieces(incoming, outgoing, rest), outgoing: pieces(outgoing, incoming, rest) };
}

/** `https://host:port` as scheme and host. */
function origin(url: string): [scheme: string, host: string] {
  const end = url.indexOf("://") + 3;
  return [url.slice(0, end), url.slice(end)];
}

/** An IPv6 address needs brackets before a port. */
function authority(server: ServerFields): string {
  const pasted = pastedUrl(server.host);
  const host = pasted?.host ?? server.host.trim();
  const port = server.port.trim() || (pasted?.port ?? "");
  const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return port === "" ? name : `${name}:${port}`;
}

function pieces(own: readonly string[], other: readonly string[], rest: string): UrlPiece[] {
  return [
    ...own.map((text, index) => ({ text, differs: text !== other[index] })),
    { text: rest, differs: false },
  ];
}
