/**
 * Publishing notes when a transition began. Nothing publishes what the file defines, so
 * the file has to say it: left out, either nobody or everybody would be held to it.
 */
import * as v from "valibot";
import type { BackendInput } from "../records/backend.ts";
import { fieldStep, itemStep } from "../records/blame_field.ts";
import { type Settings, startsWanting } from "../records/transitions.ts";

const MESSAGE =
  "must be given with a mode of transition, since the file is not published: a time " +
  'such as "2026-01-31T12:00:00Z"';

type Path = [v.IssuePathItem, ...v.IssuePathItem[]];

/** For the default settings. */
export function startsAreGiven<S extends Settings>() {
  return v.rawCheck<S>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const path of wantingIn(dataset.value)) addIssue({ message: MESSAGE, path });
  });
}

/** For a backend, with its sub-URLs. */
export function backendStartsAreGiven() {
  return v.rawCheck<BackendInput>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { settings, sub_settings } = dataset.value;
    const paths = [
      ...wantingIn(settings, fieldStep(dataset.value, "settings")),
      ...sub_settings.flatMap((sub, index) =>
        wantingIn(
          sub.settings,
          fieldStep(dataset.value, "sub_settings"),
          itemStep(sub_settings, index),
          fieldStep(sub, "settings"),
        )
      ),
    ];
    for (const path of paths) addIssue({ message: MESSAGE, path });
  });
}

/** The paths of the starts that are wanting in settings that are at `at`. */
function wantingIn(settings: Settings, ...at: v.IssuePathItem[]): Path[] {
  return startsWanting(settings).map((name) => {
    const [first, ...rest] = [...at, fieldStep(settings, name)];
    return [first ?? fieldStep(settings, name), ...rest];
  });
}
