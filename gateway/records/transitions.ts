/**
 * Transitions: settings that hold for new callers alone, until those from before have
 * followed. New is who came after the setting was published, so publishing notes that
 * moment beside it.
 */
import type { BackendInput } from "./backend.ts";
import type { SubUrl } from "./rewrites.ts";
import type { SubSettings } from "./settings.ts";

/** A setting with modes that begin with `transition_`, and where the start of one is noted. */
const transitions = [
  ["require_https", "require_https_transition_start_at"],
  ["api_key_verification_level", "api_key_verification_transition_start_at"],
] as const;

/** Nobody sets them, and they are no difference between a draft and what is live. */
export const transitionStartFields: ReadonlySet<string> = new Set(
  transitions.map(([, start]) => start),
);

/** Settings that were stored before there was a field lack it. */
export type Settings = Partial<SubSettings>;

/** The starts that are not noted, of the transitions that these settings are in. */
export function startsWanting(settings: Settings): string[] {
  return transitions.filter(([mode, start]) => isTransition(settings[mode]) && !settings[start])
    .map(([, start]) => start);
}

/**
 * A backend as it goes live in place of `live`: a transition that goes on keeps its start,
 * one that is new starts at `now` (ISO 8601).
 */
export function withTransitionStarts<B extends BackendInput>(
  backend: B,
  live: BackendInput | undefined,
  now: string,
): B {
  const liveSubs = new Map(live?.sub_settings.map((sub) => [subUrlKey(sub), sub.settings]));
  return {
    ...backend,
    settings: withStarts(backend.settings, live?.settings, now),
    sub_settings: backend.sub_settings.map((sub) => ({
      ...sub,
      settings: withStarts(sub.settings, liveSubs.get(subUrlKey(sub)), now),
    })),
  };
}

/** A backend without the starts that somebody has sent. */
export function withoutTransitionStarts<B extends BackendInput>(backend: B): B {
  return {
    ...backend,
    settings: withoutStarts(backend.settings),
    sub_settings: backend.sub_settings.map((sub) => ({
      ...sub,
      settings: withoutStarts(sub.settings),
    })),
  };
}

function withStarts<S extends Settings>(settings: S, live: Settings | undefined, now: string): S {
  const started = withoutStarts(settings);
  for (const [mode, start] of transitions) {
    if (!isTransition(settings[mode])) continue;
    const goesOn = live?.[mode] === settings[mode];
    started[start] = (goesOn ? live?.[start] : null) ?? now;
  }
  return started;
}

function withoutStarts<S extends Settings>(settings: S): S {
  const without = { ...settings };
  for (const [, start] of transitions) without[start] = null;
  return without;
}

function isTransition(mode: string | null | undefined): boolean {
  return mode?.startsWith("transition_") === true;
}

/** What tells one sub-URL of a backend from the others. */
function subUrlKey({ http_method, regex }: SubUrl): string {
  return `${http_method} ${regex}`;
}
