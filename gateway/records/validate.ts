/**
 * Checks unknown input against a schema and reports every bad field at once, by
 * its path (`servers[0].host`). The schemas in this folder are the one source
 * for what is accepted, for the error messages and for the OpenAPI description.
 */
import * as v from "valibot";
import { Fault, type FieldError } from "../faults.ts";

type Schema = v.GenericSchema;

/** Returns the parsed value. Throws a `Fault` (422) that lists every bad field. */
export function validate<S extends Schema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  throw new Fault("INVALID_INPUT", result.issues.map((issue) => fieldError(issue, schema)));
}

/** The errors of `input`, empty when it is valid; for pages that show the form again. */
export function fieldErrors(schema: Schema, input: unknown): FieldError[] {
  const result = v.safeParse(schema, input);
  return result.success ? [] : result.issues.map((issue) => fieldError(issue, schema));
}

function fieldError(issue: v.BaseIssue<unknown>, schema: Schema): FieldError {
  const field = fieldPath(issue);
  const message = issueMessage(issue, schema);
  return { code: "INVALID_INPUT", message, ...(field === "" ? {} : { field }) };
}

/** `["servers", 0, "host"]` as `servers[0].host`. */
function fieldPath(issue: v.BaseIssue<unknown>): string {
  let path = "";
  for (const item of issue.path ?? []) {
    const key = item.key;
    if (typeof key === "number") path += `[${key}]`;
    else path += path === "" ? String(key) : `.${String(key)}`;
  }
  return path;
}

function issueMessage(issue: v.BaseIssue<unknown>, schema: Schema): string {
  if (issue.type === "strict_object" && issue.expected === "never") {
    return `is not a known field${suggestion(issue, schema)}`;
  }
  if (issue.kind === "schema" && issue.received === "undefined") return "can't be blank";
  if (issue.kind === "schema" && issue.message.startsWith("Invalid ")) {
    return `must be ${expectation(issue)}, not ${issue.received}`;
  }
  return issue.message;
}

/** What a schema asks for, in words: `a number`. */
export function expectation(issue: v.BaseIssue<unknown>): string {
  const expected = issue.expected ?? "a value of another type";
  const words: Record<string, string> = {
    Array: "a list",
    Object: "an object",
    string: "text",
    number: "a number",
    boolean: "true or false",
  };
  return words[expected] ?? expected.replaceAll("|", "or");
}

/** `, did you mean "frontend_host"?` for a near miss among the keys allowed in that place. */
function suggestion(issue: v.BaseIssue<unknown>, schema: Schema): string {
  const path = issue.path ?? [];
  const unknown = String(path.at(-1)?.key ?? "");
  const nearest = nearestName(
    unknown,
    entryNames(schema, path.slice(0, -1).map((item) => item.key)),
  );
  return nearest === undefined ? "" : `, did you mean "${nearest}"?`;
}

/** The names allowed at `path` inside a schema, through its wrappers, lists and pipes. */
function entryNames(schema: Schema, path: readonly unknown[]): string[] {
  let at: unknown = unwrap(schema);
  for (const key of path) {
    const node = at as { entries?: Record<string, unknown>; item?: unknown };
    at = unwrap(typeof key === "number" ? node.item : node.entries?.[String(key)]);
    if (at === undefined) return [];
  }
  return Object.keys((at as { entries?: Record<string, unknown> }).entries ?? {});
}

function unwrap(schema: unknown): unknown {
  let at = schema as { wrapped?: unknown } | undefined;
  while (at?.wrapped !== undefined) at = at.wrapped as { wrapped?: unknown };
  return at;
}

/** The candidate that differs from `name` by at most a third of its letters. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance: how many letters to add, drop or change. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
