/** Keeps the choice between light and dark, and goes back to where it was made. */
import { define } from "@/define.ts";
import { themeChoice, themeCookie } from "@/components/theme.ts";
import { readForm } from "../(_requests)/form.ts";
import { localPath } from "../(_requests)/local_path.ts";

export const handler = define.handlers({
  async POST(ctx) {
    const form = await readForm(ctx.req);
    return new Response(null, {
      status: 303,
      headers: {
        location: localPath(form.return_to),
        "set-cookie": themeCookie(themeChoice(form.theme)),
      },
    });
  },
});
