/** All is live as it is: since when and by whom, or how to come to a first change. */
import type { LiveVersion } from "@/gateway/publish/publishing.ts";
import { ButtonLink } from "../Button.tsx";
import { CopyBox } from "../CopyBox.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { Time } from "../Time.tsx";

interface NothingToPublishProps {
  readonly live: LiveVersion | null;
  readonly baseUrl: string;
}

export function NothingToPublish({ live, baseUrl }: NothingToPublishProps) {
  if (live === null) {
    return (
      <EmptyState
        title="Nothing to publish yet"
        text="Add an API backend first. It comes here before any caller meets it."
      >
        <ButtonLink href="/admin/backends/new" look="primary">Add an API backend</ButtonLink>
      </EmptyState>
    );
  }
  const line =
    `curl -X POST -H "Authorization: Bearer YOUR_ADMIN_TOKEN" "${baseUrl}/admin/api/v1/publish"`;
  return (
    <EmptyState
      title="Nothing to publish"
      text={
        <>
          What is live is what stands here. Version {live.version} was published{" "}
          <Time at={live.published_at} /> by {live.published_by}
          {live.note === "" ? "." : <>: “{live.note}”</>}
        </>
      }
    >
      <ButtonLink href="/admin/backends">Go to the API backends</ButtonLink>
      <p>Scripts publish with one line:</p>
      <CopyBox id="publish-line" text={line} label="curl line to publish" />
    </EmptyState>
  );
}
