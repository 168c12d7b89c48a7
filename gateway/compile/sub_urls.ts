/** Which settings hold for a call to a backend: those of the first sub-URL it matches, or its own. */
import { Pattern } from "../patterns/pattern.ts";
import type { SubUrl } from "../records/rewrites.ts";
import type { CompiledSettings } from "./settings.ts";

export interface CompiledSubUrl {
  readonly settings: CompiledSettings;
  matches(method: string, target: string): boolean;
}

export function compileSubUrl(
  { http_method, regex }: SubUrl,
  settings: CompiledSettings,
): CompiledSubUrl {
  const pattern = new Pattern(regex);
  return {
    settings,
    matches: (method, target) =>
      (http_method === "any" || http_method === method) && pattern.test(target),
  };
}
