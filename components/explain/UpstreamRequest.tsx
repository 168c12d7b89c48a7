/** The request that a backend would get, beside the one that came in, with what differs marked. */
import type { Explanation } from "@/gateway/explain/explanation.ts";
import { markDifferences, type TextPiece } from "../publish/mark_differences.ts";
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
            {asked.method} <Pieces pieces={marked.before} />
          </code>
        </dd>
        <dt>Outgoing</dt>
        <dd>
          <code>
            {upstream.method} <Pieces pieces={marked.after} />
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
    <table class="differences">
      <caption class="visually-hidden">Headers</caption>
      <thead>
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Incoming</th>
          <th scope="col">Outgoing</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => {
          const marked = before === null || after === null ? null : markDifferences(before, after);
          return (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td class="difference-before" data-title="Incoming">
                <Value text={before} pieces={marked?.before} none="not sent" />
              </td>
              <td class="difference-after" data-title="Outgoing">
                <Value text={after} pieces={marked?.after} none="taken out" />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface ValueProps {
  readonly text: string | null;
  /** Where it differs; without them, all of it is new or gone. */
  readonly pieces: readonly TextPiece[] | undefined;
  readonly none: string;
}

function Value({ text, pieces, none }: ValueProps) {
  if (text === null) return <span class="muted">{none}</span>;
  return (
    <code>
      <Pieces pieces={pieces ?? [{ text, changed: true }]} />
    </code>
  );
}

function Pieces({ pieces }: { pieces: readonly TextPiece[] }) {
  return (
    <>
      {pieces.map(({ text, changed }, index) => changed ? <mark key={index}>{text}</mark> : text)}
    </>
  );
}
