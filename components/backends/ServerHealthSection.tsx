/** How the servers of a live backend fare, on the backend's page. */
import type { ServerHealth } from "@/gateway/upstream/server_state.ts";
import { ButtonLink } from "../Button.tsx";
import { Section } from "../Section.tsx";
import { serversCondition } from "./server_condition.ts";
import { ServerTable } from "./ServerTable.tsx";

interface ServerHealthSectionProps {
  readonly servers: readonly ServerHealth[];
  /** Leads to this page with the section open. */
  readonly again: string;
  /** Whether somebody looks at it; it is open as well while a server is not up. */
  readonly open: boolean;
}

export function ServerHealthSection({ servers, again, open }: ServerHealthSectionProps) {
  const { tone, words } = serversCondition(servers);
  return (
    <Section title="Server health" set={words} open={open || tone !== "ok"}>
      <ServerTable servers={servers} />
      <div class="row">
        <ButtonLink href={again} small>Look again</ButtonLink>
        <p class="muted small">The servers of the live version, as all workers see them.</p>
      </div>
    </Section>
  );
}
