/** Says above a form that came back that somebody else had saved the same record meanwhile. */
import { Notice } from "../Notice.tsx";
import { Time } from "../Time.tsx";

interface StaleNoticeProps {
  /** As it is stored now. */
  readonly record: { readonly updated_at: string; readonly updated_by: string };
  /** What it is: "API backend". */
  readonly noun: string;
  /** Its page. */
  readonly href: string;
}

export function StaleNotice({ record, noun, href }: StaleNoticeProps) {
  return (
    <Notice tone="bad">
      <p>
        <strong>Nothing was saved:</strong> {record.updated_by} changed this {noun}{" "}
        <Time at={record.updated_at} />, after you had opened it.
      </p>
      <p>
        What you typed stands below. Look at <a href={href} target="_blank">what is stored now</a>
        {" "}
        in another tab, and take over what should stay; then save again, which replaces it.
      </p>
    </Notice>
  );
}
