/** What middlewares know of a request by the time a route sees it, and the typed `define`. */
import { createDefine } from "fresh";
import type { ThemeChoice } from "@/components/theme.ts";
import type { ClientFacts } from "@/gateway/exchange/client.ts";
import type { Portico } from "@/gateway/portico.ts";
import type { Change } from "@/gateway/publish/publishing.ts";
import type { Admin } from "@/gateway/records/admin.ts";

/** Set for every page by `routes/_middleware.ts`. */
export interface State {
  portico: Portico;
  client: ClientFacts;
  theme: ThemeChoice;
}

/** Set for the pages behind the login by `routes/admin/(console)/_middleware.ts`. */
export interface AdminState extends State {
  admin: Admin;
  /** What is not published yet, for the publish bar. */
  changes: readonly Change[];
}

export const define = createDefine<State>();
export const defineAdmin = createDefine<AdminState>();
