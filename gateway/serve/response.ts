/** Makes the server's response of status, fields and body. */
import type { HeaderFields } from "../exchange/header_fields.ts";

/**
 * Field by field: from a list, the constructor first copies every pair by its iterator,
 * which costs four times as much as all the rest.
 */
export function responseOf(
  status: number,
  headers: HeaderFields,
  body: BodyInit | null,
): Response {
  const response = new Response(body, { status });
  if (typeof body === "string") response.headers.delete("content-type"); // guessed for text
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
}
