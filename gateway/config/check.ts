/** Checks what file and environment gave against the schema; finds every fault at once. */
import * as v from "valibot";
import { expectation } from "../records/validate.ts";
import type { Configuration } from "./configuration.ts";
import { isSecret } from "./keys.ts";
import { isGroup } from "./merge.ts";
import { type KeyPath, shown } from "./problems.ts";
import { configurationSchema } from "./schema.ts";
import { withoutUnknownKeys } from "./unknown_keys.ts";

/** Something wrong with a key, or with its value. */
export interface KeyFault {
  readonly path: KeyPath;
  readonly part: "key" | "value";
  readonly message: string;
}

export type Checked =
  | { readonly config: Configuration; readonly faults: readonly [] }
  | { readonly config: null; readonly faults: readonly KeyFault[] };

/** An empty file gives null, which means: nothing is set. */
export function checkConfiguration(given: unknown): Checked {
  const value = given ?? {};
  if (!isGroup(value)) return { config: null, faults: [noGroup(value)] };

  const faults: KeyFault[] = [];
  const known = withoutUnknownKeys(
    value,
    (path, message) => faults.push({ path, part: "key", message }),
  );
  const result = v.safeParse(configurationSchema, known);
  if (!result.success) faults.push(...result.issues.map(keyFault));
  if (!result.success || faults.length > 0) return { config: null, faults };
  return { config: result.output, faults: [] };
}

function noGroup(value: unknown): KeyFault {
  const message = `must be keys and values such as "http_port: 8080", found ${shown(value, false)}`;
  return { path: [], part: "value", message };
}

function keyFault(issue: v.BaseIssue<unknown>): KeyFault {
  const steps = listForGroup(issue) ? issue.path?.slice(0, -1) ?? [] : issue.path ?? [];
  const path = steps.map(({ key }) => typeof key === "number" ? key : String(key));
  const found = steps.at(-1)?.value;
  return {
    path,
    part: "value",
    message: `${allowed(issue)}, found ${shown(found, isSecret(path))}`,
  };
}

/** To the schemas a list is an object whose keys are numbers, and none of them is known. */
function listForGroup(issue: v.BaseIssue<unknown>): boolean {
  return issue.expected === "never" && Array.isArray(issue.path?.at(-1)?.input);
}

/** What the value ought to be. The schemas word their own rules; types are worded here. */
function allowed(issue: v.BaseIssue<unknown>): string {
  if (issue.kind !== "schema" || !issue.message.startsWith("Invalid ")) return issue.message;
  if (issue.received === "undefined") return "must be given";
  // What an API calls an object is, in a file, what stands indented below a key.
  const group = issue.expected === "Object" || listForGroup(issue);
  return `must be ${group ? "a group of keys" : expectation(issue)}`;
}
