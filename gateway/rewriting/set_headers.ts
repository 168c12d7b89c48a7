/** Headers that a backend's settings set on the request, in place of any the caller sent. */
import type { HeaderFields } from "../exchange/header_fields.ts";
import { folded } from "./gateway_fields.ts";
import { compileHeaderTemplate, headerValueProblem } from "./header_template.ts";
import { isTemplate, type Template } from "./template.ts";

interface Entry {
  /** In lower case. */
  readonly name: string;
  readonly value: string | Template<HeaderFields>;
}

const BLANK = /^[ \t]*$/;

export class SetHeaders {
  readonly #entries: readonly Entry[];
  /** Folded: in another spelling the caller's would pass for it with some servers. */
  readonly #names: ReadonlySet<string>;

  /** Of several for one name the last holds. */
  constructor(headers: readonly { readonly key: string; readonly value: string }[]) {
    const entries = new Map(
      headers.map(({ key, value }): [string, Entry] => {
        const name = key.toLowerCase();
        return [name, { name, value: compileValue(name, value) }];
      }),
    );
    // A request without a Host is none (RFC 9112 §3.2).
    if (entries.get("host")?.value === "") entries.delete("host");
    this.#entries = [...entries.values()];
    this.#names = new Set(this.#entries.map(({ name }) => folded(name)));
  }

  /** All templates see the fields as they are given here; one without a value is removed. */
  applyTo(fields: HeaderFields): HeaderFields {
    const result = fields.filter(([name]) => !this.#names.has(folded(name)));
    for (const { name, value } of this.#entries) {
      const text = typeof value === "string" ? value : value(fields);
      if (!BLANK.test(text)) result.push([name, text]);
    }
    return result;
  }
}

/** What was saved before there were templates is sent as it is if it is none. */
function compileValue(name: string, value: string): Entry["value"] {
  return isTemplate(value) && headerValueProblem(name, value) === null
    ? compileHeaderTemplate(value)
    : value;
}
