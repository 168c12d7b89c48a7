/**
 * From the errors of `gateway/backends/` to the fields of the form: which of them holds
 * what is wrong, and what to write instead. Of the server alone.
 */
import type { FieldError } from "@/gateway/faults.ts";
import { errorAtField, type FieldsAt } from "../fields/error_places.ts";
import type { BackendForm } from "./backend_form.ts";
import { placeOnPage } from "./form_sections.ts";
import { hostAdvice } from "./pasted_url.ts";
import { healthCheckFields } from "./server_fields.ts";
import { settingFields } from "./settings/table.ts";

/**
 * The errors by the fields of the form and in its order: the first of each field, which is
 * the one to put right first, and for a list in one control the first that names each bad
 * item. Where a URL was pasted for a host, the message goes on with what to write instead.
 */
export function formErrors(errors: readonly FieldError[], form: BackendForm): FieldError[] {
  const first = errors.filter(({ field }, index) =>
    field === undefined || errors.findIndex((other) => other.field === field) === index
  );
  return first
    .map((error) => errorAtField(error, groupsOf(form)) ?? hostError(error, form) ?? error)
    .toSorted((a, b) => placeOnPage(a.field ?? "") - placeOnPage(b.field ?? ""));
}

function groupsOf(form: BackendForm): FieldsAt[] {
  return [
    { path: "settings", table: settingFields, form: form.settings },
    { path: "health_check", table: healthCheckFields, form: form.health_check },
    ...form.sub_settings.map(({ settings }, index) => ({
      path: `sub_settings[${index}].settings`,
      table: settingFields,
      form: settings,
    })),
  ];
}

function hostError(error: FieldError, form: BackendForm): FieldError | undefined {
  const { field = "" } = error;
  const [, index] = /^servers\[(\d+)\]\.host$/.exec(field) ?? [];
  const advice = index !== undefined
    ? hostAdvice(form.servers[Number(index)]?.host ?? "", true)
    : field === "frontend_host" || field === "backend_host"
    ? hostAdvice(form[field], false)
    : null;
  return advice === null ? undefined : { ...error, message: `${error.message}, ${advice}` };
}
