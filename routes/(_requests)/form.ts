/** Reads what a form sends: by the same limit as the REST API, whichever of the two encodings. */
import { Fault } from "@/gateway/faults.ts";
import { readBytes } from "@/gateway/api/body.ts";

/** A form's fields by name; a name that occurs twice has its last value. */
export type FormFields = Readonly<Record<string, string>>;

/** Throws a `Fault`: `TOO_LARGE` over 1 MiB, `BAD_REQUEST` when it is no form. */
export async function readForm(request: Request): Promise<FormFields> {
  const bytes = await readBytes(request);
  const headers = { "content-type": request.headers.get("content-type") ?? "" };
  try {
    const form = await new Response(bytes, { headers }).formData();
    return Object.fromEntries([...form].filter(isText));
  } catch (error) {
    throw new Fault("BAD_REQUEST", "The body must be a form.", { internal: error });
  }
}

/** Files are none of ours. */
function isText(entry: [string, FormDataEntryValue]): entry is [string, string] {
  return typeof entry[1] === "string";
}
