import { AdminShell } from "@/components/AdminShell.tsx";
import { defineAdmin } from "@/define.ts";

export default defineAdmin.layout(function Console({ Component, state, url }) {
  return (
    <AdminShell state={state} url={url}>
      <Component />
    </AdminShell>
  );
});
