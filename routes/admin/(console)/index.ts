/** The admin opens where most of its work is. */
import { defineAdmin } from "@/define.ts";

export const handler = defineAdmin.handlers({
  GET: (ctx) => ctx.redirect("/admin/backends", 303),
});
