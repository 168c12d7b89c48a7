/** The frame of the admin: rail at the left, page beside it, publish bar below. */
import type { ComponentChildren } from "preact";
import type { AdminState } from "@/define.ts";
import { AdminRail } from "./AdminRail.tsx";
import { PublishBar } from "./PublishBar.tsx";

interface AdminShellProps {
  readonly state: AdminState;
  readonly url: URL;
  readonly children: ComponentChildren;
}

export function AdminShell({ state, url, children }: AdminShellProps) {
  return (
    <div class="admin">
      <a class="skip-link" href="#main">Skip to the content</a>
      <AdminRail state={state} url={url} />
      <div class="admin-body">
        <main class="admin-main" id="main">{children}</main>
        {/* The page it leads to shows the same, in full. */}
        {url.pathname !== "/admin/publish" && <PublishBar changes={state.changes} />}
      </div>
    </div>
  );
}
