/** From what was typed to what the REST API takes, and its errors back. Of the server alone. */
import { type FieldError, invalidField } from "@/gateway/faults.ts";
import type { Users } from "@/gateway/users/users.ts";
import type { FieldErrors } from "../form_errors.ts";
import { type ExplainForm, headerLines } from "./explain_form.ts";

/** Throws a `Fault` (422) on `user` or `headers`. */
export async function explainInput(
  form: ExplainForm,
  users: Pick<Users, "list">,
): Promise<Record<string, unknown>> {
  const { method, url, key, address } = form;
  const lines = headerLines(form.headers);
  const broken = lines.findIndex(({ name }) => name === "");
  if (broken !== -1) {
    throw invalidField("headers", `must have a name and a colon in line ${broken + 1}`);
  }
  const headers = new Map(lines.map(({ name, value }) => [name, value]));
  if (key !== "") headers.set("X-Api-Key", key);
  return {
    method,
    url,
    headers: Object.fromEntries(headers),
    address: address === "" ? null : address,
    user_id: form.user === "" ? null : await userId(form.user, users),
    draft: form.draft === "true",
  };
}

/** An email address stands for its only user. */
async function userId(user: string, users: Pick<Users, "list">): Promise<string> {
  if (!user.includes("@")) return user;
  const { items } = await users.list({ search: user, limit: 1000 });
  const [first, ...others] = items.filter(({ email }) =>
    email.toLowerCase() === user.toLowerCase()
  );
  if (first === undefined) throw invalidField("user", "is the address of no API user");
  if (others.length > 0) {
    throw invalidField("user", `is the address of ${others.length + 1} API users; give an id`);
  }
  return first.id;
}

/** The fields of the form have names of their own for two things. */
export function explainErrors(errors: readonly FieldError[]): FieldErrors {
  return errors.map((error) => {
    const field = error.field ?? "";
    if (field === "user_id") return { ...error, field: "user" };
    return field.startsWith("headers.") ? headerError(error, field) : error;
  });
}

function headerError(error: FieldError, field: string): FieldError {
  return {
    ...error,
    field: "headers",
    message: `“${field.slice("headers.".length)}” ${error.message}`,
  };
}
