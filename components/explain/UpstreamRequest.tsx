/** The request that a backend would get, beside the one that came in, with what differs marked. */
import type { Explanation } from "@/gateway/explain/explanation.ts";
import { DifferenceTable } from "../differences/DifferenceTable.tsx";
import { markDifferences } from "../differences/mark_differences.ts";
import { MarkedText } from "../differences/MarkedText.tsx";
import { type HeaderChange, headerChanges } from "./header_changes.ts";

/** The call as it was asked about, without what is secret. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface UpstreamRequestProps {
  readonly asked: Asked;
  readonly upstream: NonNullable<Explanation["upstream"]>;
}

export function UpstreamRequest({ asked, upstream }: UpstreamRequestProps) {
  const marked = markDifferences(asked.url, serverUrl(upstream));
  const others = upstream.servers.slice(1);
  return (
    <section>
      <h2>What the backend gets</h2>
      <dl class="example explain-urls">
        <dt>Incoming</dt>
        <dd>
          <code>
            {asked.method} <MarkedText pieces={marked.before} />
          </code>
        </dd>
        <dt>Outgoing</dt>
        <dd>
          <code>
            {upstream.method} <MarkedText pieces={marked.after} />
          </code>
        </dd>
        {others.length > 0 && (
          <>
            <dt>Or to</dt>
            <dd>
              <code>{others.join(", ")}</code>
            </dd>
          </>
        )}
      </dl>
      <HeaderTable changes={headerChanges(asked.headers, upstream.headers)} />
    </section>
  );
}

/** Where the call goes, as in the backend's form; the host it asks for is among the headers. */
function serverUrl({ url, target, servers }: UpstreamRequestProps["upstream"]): string {
  const scheme = url.slice(0, url.indexOf("://"));
  return `${scheme}://${servers[0]}${target}`;
}

function HeaderTable({ changes }: { changes: readonly HeaderChange[] }) {
  return (
    <DifferenceTable
      caption="Headers"
      title="Header"
      before="Incoming"
      after="Outgoing"
      noneBefore="not sent"
      noneAfter="taken out"
      differences={changes.map(({ name, before, after }) => (
        { key: name, title: <code>{name}</code>, before, after }
      ))}
    />
  );
}
