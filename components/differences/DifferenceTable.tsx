/** Values before and after, side by side, with what differs marked. */
import type { ComponentChildren } from "preact";
import { markDifferences, type TextPiece } from "./mark_differences.ts";
import { MarkedText } from "./MarkedText.tsx";

interface Difference {
  readonly key: string;
  /** What it is the value of. */
  readonly title: ComponentChildren;
  /** Null: there is none. */
  readonly before: string | null;
  readonly after: string | null;
}

interface DifferenceTableProps {
  /** Read out, not shown. */
  readonly caption: string;
  /** The heads of the columns. */
  readonly title: string;
  readonly before: string;
  readonly after: string;
  /** In place of a value that is not there. */
  readonly noneBefore: string;
  readonly noneAfter: string;
  readonly differences: readonly Difference[];
}

export function DifferenceTable(props: DifferenceTableProps) {
  const { caption, title, before, after, noneBefore, noneAfter, differences } = props;
  return (
    <table class="differences">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {differences.map((difference) => {
          const marked = markedValues(difference);
          return (
            <tr key={difference.key}>
              <th scope="row">{difference.title}</th>
              <td class="difference-before" data-title={before}>
                <Value pieces={marked.before} none={noneBefore} />
              </td>
              <td class="difference-after" data-title={after}>
                <Value pieces={marked.after} none={noneAfter} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface MarkedValues {
  readonly before: readonly TextPiece[] | null;
  readonly after: readonly TextPiece[] | null;
}

/** A value that is alone is new or gone as a whole. */
function markedValues({ before, after }: Difference): MarkedValues {
  if (before !== null && after !== null) return markDifferences(before, after);
  const whole = (text: string | null) => text === null ? null : [{ text, changed: true }];
  return { before: whole(before), after: whole(after) };
}

function Value({ pieces, none }: { pieces: MarkedValues["before"]; none: string }) {
  if (pieces === null) return <span class="muted">{none}</span>;
  if (pieces.every(({ text }) => text === "")) return <span class="muted">empty</span>;
  return (
    <code>
      <MarkedText pieces={pieces} />
    </code>
  );
}
