/** Where the rule behind a decision is edited. */
import type { Explanation, Rule } from "@/gateway/explain/explanation.ts";
import { fieldId } from "../form_errors.ts";

/** Null for what stands in the configuration file, and nowhere in the admin. */
export function ruleLink(
  { path, source }: Rule,
  { backend, user }: Pick<Explanation, "backend" | "user">,
): string | null {
  if (path === null) return null;
  const page = pageOf(source, backend, user);
  return page === null ? null : `${page}?${new URLSearchParams({ field: path })}#${fieldId(path)}`;
}

function pageOf(
  source: Rule["source"],
  backend: Explanation["backend"],
  user: Explanation["user"],
): string | null {
  switch (source) {
    case "user":
      return user === null ? null : `/admin/users/${user.id}`;
    case "backend":
    case "sub_url":
      return backend?.id == null ? null : backendLink(backend.kind, backend.id);
    case "default":
    case "server":
      return null;
  }
}

export function backendLink(
  kind: NonNullable<Explanation["backend"]>["kind"],
  id: string,
): string {
  return kind === "website_backend" ? `/admin/websites/${id}` : `/admin/backends/${id}`;
}

/** Whose word a rule is. */
export const sourceWords: Record<Rule["source"], string> = {
  user: "the API user's",
  sub_url: "the sub-URL's",
  backend: "the API backend's",
  default: "the server's default",
  server: "the server's",
};
