import assert from "node:assert/strict";
import { backendInput } from "./backend.ts";
import { withoutTransitionStarts, withTransitionStarts } from "./transitions.ts";
import { validate } from "./validate.ts";

const EARLY = "2030-01-01T00:00:00.000Z";
const LATER = "2030-02-01T00:00:00.000Z";

const transition = { require_https: "transition_return_error" };

function backend(settings: Record<string, unknown>, sub_settings: unknown[] = []) {
  return validate(backendInput, {
    name: "Weather",
    servers: [{ host: "10.0.0.1", port: 80 }],
    url_matches: [{ frontend_prefix: "/weather/" }],
    settings,
    sub_settings,
  });
}

const sub = (http_method: string, settings: Record<string, unknown>) => ({
  http_method,
  regex: "^/x",
  settings,
});

Deno.test("a transition starts when it goes live, and keeps its start while its mode stays", () => {
  const first = withTransitionStarts(backend(transition), undefined, EARLY);
  assert.equal(first.settings.require_https_transition_start_at, EARLY);
  assert.equal(first.settings.api_key_verification_transition_start_at, null);
  const again = withTransitionStarts(backend(transition), first, LATER);
  assert.equal(again.settings.require_https_transition_start_at, EARLY);
});

Deno.test("a mode that changes ends its transition; one that comes back starts anew", () => {
  const first = withTransitionStarts(backend(transition), undefined, EARLY);
  const ended = withTransitionStarts(
    backend({ require_https: "required_return_error" }),
    first,
    LATER,
  );
  assert.equal(ended.settings.require_https_transition_start_at, null);
  const anew = withTransitionStarts(backend(transition), ended, LATER);
  assert.equal(anew.settings.require_https_transition_start_at, LATER);
});

Deno.test("a sub-URL has a start of its own, wherever it stands among the others", () => {
  const level = { api_key_verification_level: "transition_email" };
  const first = withTransitionStarts(backend({}, [sub("GET", level)]), undefined, EARLY);
  const moved = backend({}, [sub("POST", level), sub("GET", level)]);
  const starts = withTransitionStarts(moved, first, LATER).sub_settings
    .map(({ settings }) => settings.api_key_verification_transition_start_at);
  assert.deepEqual(starts, [LATER, EARLY]);
});

Deno.test("a start that somebody sends is nobody's to send", () => {
  const sent = backend({ ...transition, require_https_transition_start_at: EARLY }, [
    sub("GET", { ...transition, require_https_transition_start_at: EARLY }),
  ]);
  const stored = withoutTransitionStarts(sent);
  assert.equal(stored.settings.require_https_transition_start_at, null);
  assert.equal(stored.sub_settings[0]?.settings.require_https_transition_start_at, null);
  const live = withTransitionStarts(sent, undefined, LATER);
  assert.equal(live.settings.require_https_transition_start_at, LATER);
});
