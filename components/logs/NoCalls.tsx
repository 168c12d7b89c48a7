/** No call to show: because of the filters, or because nobody has called yet. */
import { curlLine } from "../published_api.ts";
import { ButtonLink } from "../Button.tsx";
import { CopyBox } from "../CopyBox.tsx";
import { EmptyState } from "../EmptyState.tsx";
import { presetUrl, withoutFiltersUrl } from "./log_urls.ts";

interface NoCallsProps {
  readonly params: URLSearchParams;
  readonly filtered: boolean;
  /** A URL that a call could be made to. */
  readonly exampleUrl: string;
}

export function NoCalls({ params, filtered, exampleUrl }: NoCallsProps) {
  if (filtered) {
    return (
      <EmptyState
        title="No call matches"
        text="In this stretch of time, no call passes all of the filters."
      >
        <div class="row">
          <ButtonLink href={withoutFiltersUrl(params)}>Remove the filters</ButtonLink>
          <LookBack params={params} />
        </div>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No calls in this stretch of time"
      text={
        <>
          Every call to an API shows up here within two seconds, the refused ones too. Make one with
          a key from the <a href="/signup/">sign-up page</a>:
        </>
      }
    >
      <CopyBox
        id="call-line"
        text={curlLine(exampleUrl, "YOUR_API_KEY", "header")}
        label="curl line for a call"
      />
      <LookBack params={params} />
    </EmptyState>
  );
}

/** The way to the longest preset, unless one is there. */
function LookBack({ params }: { params: URLSearchParams }) {
  if (params.get("range") === "30d") return null;
  return <ButtonLink href={presetUrl(params, "30d")}>Look at 30 days</ButtonLink>;
}
