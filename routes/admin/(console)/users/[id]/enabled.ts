/** Disables or enables a user's key, from whichever page has the button. */
import { defineAdmin } from "@/define.ts";
import { readForm } from "../../../../(_requests)/form.ts";
import { localPath } from "../../../../(_requests)/local_path.ts";

export const handler = defineAdmin.handlers({
  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const { enabled: wanted, back } = await readForm(ctx.req);
    const enabled = wanted === "true";
    const { id } = await portico.users.change(ctx.params.id ?? "", { enabled }, admin.username);
    const page = new URL(localPath(back, "/admin/users"), ctx.url);
    page.searchParams.set("done", enabled ? "enabled" : "disabled");
    page.searchParams.set("user", id);
    return ctx.redirect(page.pathname + page.search, 303);
  },
});
