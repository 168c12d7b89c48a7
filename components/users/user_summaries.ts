/** What is set in each section of an API user's form, in a few words. */
import { type FieldsForm, isSet } from "../fields/fields_form.ts";
import { setWords } from "../fields/state_words.ts";
import { counted } from "../fields/wording.ts";
import type { UserForm } from "./user_form.ts";
import { detailFields, type LimitFields, limitFields, originFields } from "./user_table.ts";

export function personSummary({ first_name, last_name, email }: UserForm): string {
  const name = `${first_name} ${last_name}`.trim();
  return [name, email].filter(isSet).join(", ");
}

export function keySummary(form: UserForm): string {
  const roles = form.roles.filter(isSet);
  return joined([
    form.enabled === "true" ? "enabled" : "disabled",
    ...(form.expires_at === "" ? [] : ["expires"]),
    ...(roles.length === 0
      ? []
      : [roles.length > 3 ? counted(roles.length, "role") : `roles ${roles.join(", ")}`]),
    ...(form.email_verified === "true" ? ["email verified"] : []),
  ], "");
}

export function originSummary({ settings }: UserForm): string {
  return joined(setWords(originFields, settings), "anywhere");
}

export function limitsSummary({ settings, throttle_by_ip }: UserForm): string {
  return joined([
    ...limitWords(settings),
    ...(throttle_by_ip === "true" ? ["counted by IP address"] : []),
  ], "those of each API backend");
}

export function limitWords(limits: FieldsForm<LimitFields>): readonly string[] {
  const { rate_limits, ...others } = limitFields;
  const custom = limits.rate_limit_mode === "custom" ? { rate_limits } : {};
  return setWords({ ...others, ...custom }, limits);
}

export function backendLimitsSummary({ backend_limits }: UserForm): string {
  return backend_limits.length === 0 ? "none" : counted(backend_limits.length, "API backend");
}

export function notesSummary({ details, use_description }: UserForm): string {
  return joined([
    ...(isSet(use_description) ? ["use described"] : []),
    ...setWords(detailFields, details),
  ], "nothing noted");
}

function joined(words: readonly string[], none: string): string {
  return words.length === 0 ? none : words.join(", ");
}
