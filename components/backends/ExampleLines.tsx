/** An example call through a prefix pair: what comes in, what goes out, and where they differ. */
import type { ExampleCall, UrlPiece } from "./example_call.ts";

export function ExampleLines({ example }: { example: ExampleCall | null }) {
  if (example === null) {
    return (
      <p class="example muted small">
        An example of incoming and outgoing URL stands here once there are a server and a prefix.
      </p>
    );
  }
  return (
    <dl class="example" aria-label="Example">
      <dt>Incoming</dt>
      <dd>
        <Url pieces={example.incoming} />
      </dd>
      <dt>Outgoing</dt>
      <dd>
        <Url pieces={example.outgoing} />
      </dd>
    </dl>
  );
}

function Url({ pieces }: { pieces: readonly UrlPiece[] }) {
  return (
    <code>
      {pieces.map(({ text, differs }, index) =>
        differs ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>
      )}
    </code>
  );
}
