/**
 * What refusals say and look like under the settings of a backend or sub-URL: made
 * once, when these are compiled, from what `error_data` and `error_templates` say.
 */
import { encoded } from "./encode.ts";
import type { RefusalFormat } from "./format.ts";
import { type RefusalCode, refusals } from "./refusals.ts";
import { Template } from "./template.ts";
import { type CallVariables, callVariables, type Value, Variables } from "./variables.ts";

/** Values by name, as settings have them: text, numbers, true and false. */
export type ErrorVariables = ReadonlyMap<string, string | number | boolean>;

/** What the settings say; what they leave out is built in. */
export interface ErrorAnswersSource {
  /** For every refusal. */
  readonly common: ErrorVariables;
  /** By refusal, such as `api_key_missing`. */
  readonly byRefusal: ReadonlyMap<string, ErrorVariables>;
  readonly templates: ReadonlyMap<RefusalFormat, string>;
}

/** A refusal's answer before a call gives it the rest. */
export interface ErrorAnswer {
  readonly status: number;
  readonly variables: ReadonlyMap<string, Value>;
  readonly templates: ReadonlyMap<RefusalFormat, Template>;
}

export class ErrorAnswers {
  readonly #source: ErrorAnswersSource;
  readonly #made = new Map<RefusalCode, ErrorAnswer>();

  constructor(source: ErrorAnswersSource) {
    this.#source = source;
  }

  of(code: RefusalCode): ErrorAnswer {
    let answer = this.#made.get(code);
    if (answer === undefined) this.#made.set(code, answer = this.#make(code));
    return answer;
  }

  #make(code: RefusalCode): ErrorAnswer {
    const { common, byRefusal, templates } = this.#source;
    const { status, message } = refusals[code];
    const values = new Map<string, string | number | boolean>([
      ["code", code],
      ["message", message],
      ["status_code", status],
      ...common,
      ...byRefusal.get(code.toLowerCase()) ?? [],
    ]);
    if (!isAnswerStatus(values.get("status_code"))) values.set("status_code", status);
    const variables = new Map(
      Array.from(
        values,
        ([name, value]) => [name, typeof value === "string" ? new Template(value) : value],
      ),
    );
    return {
      status: Number(values.get("status_code")),
      variables,
      templates: usable(templates, variables),
    };
  }
}

/** Without any word of an admin. */
export const builtInAnswers = new ErrorAnswers({
  common: new Map(),
  byRefusal: new Map(),
  templates: new Map(),
});

/**
 * Of those that say how an answer without a body, or one that goes on, is
 * meant (RFC 9110 §15), none.
 */
export function isAnswerStatus(status: unknown): boolean {
  return typeof status === "number" && Number.isInteger(status) &&
    status >= 200 && status <= 599 && ![204, 205, 304].includes(status);
}

/** A call as good as any, for trying a template. */
const SAMPLE = Object.fromEntries(callVariables.map((name) => [name, "text"])) as CallVariables;

/** A JSON template that does not give JSON is left out; values cannot change whether it does. */
function usable(
  templates: ErrorAnswersSource["templates"],
  variables: ErrorAnswer["variables"],
): ErrorAnswer["templates"] {
  const usable = new Map<RefusalFormat, Template>();
  for (const [format, text] of templates) {
    const template = new Template(text);
    const sample = filled(template, format, new Variables(variables, SAMPLE));
    if (sample !== null && (format !== "json" || isJson(sample))) usable.set(format, template);
  }
  return usable;
}

/** Longest body that a template may give. */
const BODY_MAX_LENGTH = 262_144;

/** The template with its values, escaped as its format needs it; null if it is too long. */
export function filled(
  template: Template,
  format: RefusalFormat,
  variables: Variables,
): string | null {
  return template.fill((name) => {
    const value = variables.value(name);
    return value === undefined ? undefined : encoded(value, format);
  }, BODY_MAX_LENGTH);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
