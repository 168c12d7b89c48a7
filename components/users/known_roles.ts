/** The roles that are in use, to choose from where one is typed. Of the server alone. */
import type { Portico } from "@/gateway/portico.ts";
import type { Backend } from "@/gateway/records/backend.ts";

/** Users that are looked through; a server may have a hundred thousand. */
const USERS_MAX = 1000;

/** Those that API backends ask for and those that users have, in alphabetical order. */
export async function knownRoles(
  { users, config }: Pick<Portico, "users" | "config">,
  backends: readonly Backend[],
): Promise<string[]> {
  const { items } = await users.list({ limit: USERS_MAX });
  const settings = [...backends, ...config.apis].flatMap((backend) => [
    backend.settings,
    // Absent in records from before there were sub-URLs.
    ...(backend.sub_settings ?? []).map((sub) => sub.settings),
  ]);
  const asked = [config.default_api_backend_settings, ...settings]
    .flatMap(({ required_roles }) => required_roles ?? []);
  return [...new Set([...asked, ...items.flatMap(({ roles }) => roles)])].sort();
}
