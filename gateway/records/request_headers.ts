/** Headers that are set on the request to a backend; their values may be templates. */
import * as v from "valibot";
import { isAuthority } from "../exchange/host_name.ts";
import { headerValueProblem } from "../rewriting/header_template.ts";
import { type Blame, blameField } from "./blame_field.ts";
import { headerList, type HeaderPair } from "./fields.ts";

/** As `headerList`; a value that could not be sent is refused here. */
export const requestHeaders = v.array(v.pipe(headerList.item, blameField<HeaderPair>(valueBlame)));

function valueBlame({ key, value }: HeaderPair): Blame | null {
  const message = headerValueProblem(key, value) ??
    (key.toLowerCase() === "host" && !isAuthority(value)
      ? 'must be a host, such as "example.com" or "example.com:8080"'
      : null);
  return message === null ? null : { field: "value", message };
}
