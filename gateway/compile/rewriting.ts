/** What a backend's settings say of the requests that go out to it. */
import { AppendedQuery } from "../rewriting/append_query.ts";
import { SetHeaders } from "../rewriting/set_headers.ts";
import type { Layers } from "./layers.ts";

export interface Rewriting {
  /** Whether the caller's key goes on in `X-Api-Key`. */
  readonly passesKeyHeader: boolean;
  /** Whether the caller's key goes on in the query. */
  readonly passesKeyArgument: boolean;
  readonly appendedQuery: AppendedQuery | null;
  readonly setHeaders: SetHeaders | null;
  /** Value of `Authorization`, in place of the caller's. */
  readonly authorization: string | null;
}

/** Null when they say nothing, as most do: such calls are spared every question. */
export function compileRewriting(layers: Layers): Rewriting | null {
  const appended = layers.value("append_query_string");
  const headers = layers.value("headers");
  const credentials = layers.value("http_basic_auth");
  const rewriting: Rewriting = {
    passesKeyHeader: layers.value("pass_api_key_header") === true,
    passesKeyArgument: layers.value("pass_api_key_query_param") === true,
    appendedQuery: appended === undefined ? null : new AppendedQuery(appended),
    setHeaders: headers === undefined ? null : new SetHeaders(headers),
    authorization: credentials === undefined ? null : basicAuthorization(credentials),
  };
  return Object.values(rewriting).some(Boolean) ? rewriting : null;
}

/** `user:password` in UTF-8 (RFC 7617 §2.1). */
function basicAuthorization(credentials: string): string {
  return `Basic ${new TextEncoder().encode(credentials).toBase64()}`;
}
