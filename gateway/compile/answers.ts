/** What settings say about the answers that callers get, made ready for the calls. */
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { HeaderPair } from "../records/fields.ts";
import type { ErrorAnswers } from "../refusal/error_answers.ts";
import { compileErrorAnswers } from "./error_answers.ts";
import type { Layers } from "./layers.ts";

export interface CompiledAnswers {
  /** Set where the backend sent none of the name. */
  readonly defaultHeaders: HeaderFields;
  /** Set in place of the backend's. */
  readonly overrideHeaders: HeaderFields;
  /** Whether the backend's `Server` is left out. */
  readonly hidesServer: boolean;
  /** Whether plain text is compressed for callers that take it. */
  readonly compresses: boolean;
  /** What refusals say. */
  readonly errors: ErrorAnswers;
}

export function compileAnswers(layers: Layers, hidesServer: boolean): CompiledAnswers {
  return {
    defaultHeaders: compileHeaders(layers.value("default_response_headers")),
    overrideHeaders: compileHeaders(layers.value("override_response_headers")),
    hidesServer,
    compresses: layers.value("compress_answers") !== false,
    errors: compileErrorAnswers(layers),
  };
}

function compileHeaders(headers: readonly HeaderPair[] = []): HeaderFields {
  return headers.map(({ key, value }) => [key.toLowerCase(), value]);
}
