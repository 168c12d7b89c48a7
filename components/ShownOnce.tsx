/** A secret in the one moment when it can be seen: large, with a copy button and a warning. */
import type { ComponentChildren } from "preact";
import { CopyBox } from "./CopyBox.tsx";
import { Notice } from "./Notice.tsx";

interface ShownOnceProps {
  /** The id of the secret on its page. */
  readonly id: string;
  readonly secret: string;
  /** What it is: "API key". */
  readonly label: string;
  /** What to do with it now. */
  readonly children: ComponentChildren;
}

export function ShownOnce({ id, secret, label, children }: ShownOnceProps) {
  return (
    <div class="stack">
      <CopyBox id={id} text={secret} label={label} large />
      <Notice tone="warn">
        <p>
          <strong>It is shown once.</strong> {children}
        </p>
      </Notice>
    </div>
  );
}
