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

/** Two slashes are one to most servers, so they must not slip past a rule for one. */
export function withSingleSlashes(path: string): string {
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
}

/** Escapes, but for those of marks that divide a target or begin an escape: `#`, `%`, `/`, `?`, `\`. */
const ESCAPES = /(?:%(?!2[35F]|3F|5C)[2-9A-F][0-9A-F])+/gi;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A target as most servers come to read it: an escape is the character that it stands for,
 * so `/things%3Adelete` must not slip past a rule for `/things:delete`, nor `?%64ebug` past
 * one for `?debug`.
 */
export function withoutEscapes(target: string): string {
  if (!target.includes("%")) return target;
  return target.replace(
    ESCAPES,
    (escapes) => utf8.decode(Uint8Array.fromHex(escapes.replaceAll("%", ""))),
  );
}
