/** What the pages with an API user's form show. Of the server alone. */
import type { Portico } from "@/gateway/portico.ts";
import type { ShownForm } from "../fields/posted_form.ts";
import { knownRoles } from "./known_roles.ts";
import type { UserForm } from "./user_form.ts";
import type { LimitedBackend } from "./user_view.ts";

export interface ShownUserPage extends ShownForm<UserForm> {
  readonly backends: readonly LimitedBackend[];
  readonly knownRoles: readonly string[];
}

export async function shownUserPage(
  form: ShownForm<UserForm>,
  portico: Pick<Portico, "backends" | "users" | "config">,
): Promise<ShownUserPage> {
  const backends = await portico.backends.all();
  return {
    ...form,
    backends: backends.map(({ id, name }) => ({ id, name }))
      .sort((a, b) => a.name.localeCompare(b.name, "en")),
    knownRoles: await knownRoles(portico, backends),
  };
}
