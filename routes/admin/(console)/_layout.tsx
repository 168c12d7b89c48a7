import { asset, Head } from "fresh/runtime";
import { AdminShell } from "@/components/AdminShell.tsx";
import { defineAdmin } from "@/define.ts";

export default defineAdmin.layout(function Console({ Component, state, url }) {
  return (
    <AdminShell state={state} url={url}>
      <Head>
        <link key="admin" rel="stylesheet" href={asset("/portico/admin.css")} />
      </Head>
      <Component />
    </AdminShell>
  );
});
