/** Stands at the bottom of the admin while unpublished changes exist: how many, whose, where. */
import type { Change } from "@/gateway/publish/publishing.ts";
import { ButtonLink } from "./Button.tsx";
import { Pill } from "./Pill.tsx";

export function PublishBar({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  const people = [...new Set(changes.map((change) => change.changed_by))];
  return (
    <aside class="publish-bar" aria-label="Unpublished changes">
      <p class="row">
        <Pill tone="warn">Not live</Pill>
        <span>
          <strong>{changeCount(changes.length)}</strong> by {list(people)}
        </span>
      </p>
      <ButtonLink href="/admin/publish" small>Review changes</ButtonLink>
    </aside>
  );
}

function changeCount(count: number): string {
  return count === 1 ? "1 unpublished change" : `${count} unpublished changes`;
}

/** At most three names; the rest as a number. */
function list(people: readonly string[]): string {
  const named = people.slice(0, 3);
  const rest = people.length - named.length;
  return new Intl.ListFormat("en").format(rest > 0 ? [...named, `${rest} more`] : named);
}
