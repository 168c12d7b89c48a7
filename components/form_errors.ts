/**
 * What a form says about bad input. The errors are those of the REST API
 * (`Fault.errors`); here they get ids to link to and words a person can read.
 */
import type { FieldError } from "@/gateway/faults.ts";

export type FieldErrors = readonly FieldError[];

/** The id of a field's control: `servers[0].host` is `field-servers-0-host`. */
export function fieldId(name: string): string {
  return `field-${name.replaceAll(/[^A-Za-z0-9_]+/g, "-").replace(/-$/, "")}`;
}

/** The first error of a field, if it has one. */
export function errorOf(errors: FieldErrors, name: string): string | undefined {
  return errors.find((error) => error.field === name)?.message;
}

/** The sentence where its field is not beside it: `Allowed IP addresses: “home” must be …` */
export function errorAlone(message: string, label: string): string {
  const sentence = errorSentence(message, label);
  return sentence.startsWith("“") ? `${label}: ${sentence}` : sentence;
}

/** A message as a sentence: `can't be blank` becomes `Name can't be blank.` */
export function errorSentence(message: string, label: string): string {
  const sentence = /^\p{Ll}/u.test(message) ? `${label} ${message}` : message;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
