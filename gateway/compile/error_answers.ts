/** What `error_data` and `error_templates` of all layers say together, for the refusals. */
import type { ErrorData, ErrorTemplates } from "../records/error_answers.ts";
import {
  builtInAnswers,
  ErrorAnswers,
  type ErrorAnswersSource,
  type ErrorVariables,
} from "../refusal/error_answers.ts";
import { formats, type RefusalFormat } from "../refusal/format.ts";
import type { Layers } from "./layers.ts";

/** Layers are merged name by name, so that a backend may change one word of many. */
export function compileErrorAnswers(layers: Layers): ErrorAnswers {
  const templates = mergeTemplates(layers.all("error_templates"));
  const { common, ...refusals } = mergeData(layers.all("error_data"));
  const byRefusal = new Map(Object.entries(refusals));
  const says = templates.size > 0 || byRefusal.size > 0 || common !== undefined;
  // Most backends say nothing of their own: they share what is built in.
  return says
    ? new ErrorAnswers({ common: common ?? new Map(), byRefusal, templates })
    : builtInAnswers;
}

/** @param layers the weakest one first */
function mergeTemplates(layers: readonly ErrorTemplates[]): ErrorAnswersSource["templates"] {
  const merged = new Map<RefusalFormat, string>();
  for (const templates of layers) {
    for (const format of formats) {
      const template = templates[format];
      if (typeof template === "string" && template !== "") merged.set(format, template);
    }
  }
  return merged;
}

/** @param layers the weakest one first */
function mergeData(layers: readonly ErrorData[]): Record<string, ErrorVariables> {
  const merged: Record<string, Map<string, string | number | boolean>> = {};
  for (const data of layers) {
    for (const [refusal, variables] of Object.entries(data)) {
      for (const [name, value] of Object.entries(variables ?? {})) {
        (merged[refusal] ??= new Map()).set(name, value);
      }
    }
  }
  return merged;
}
