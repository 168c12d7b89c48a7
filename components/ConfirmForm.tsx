/** The question before something is destroyed: it names it, says what follows, and lets go back. */
import type { ComponentChildren } from "preact";
import { Button, ButtonLink } from "./Button.tsx";

interface ConfirmFormProps {
  /** What follows from it. */
  readonly children: ComponentChildren;
  /** Says what the button does: "Delete the API user". */
  readonly action: string;
  /** Where to without doing it. */
  readonly back: string;
}

/** Posts to the page it is on. */
export function ConfirmForm({ children, action, back }: ConfirmFormProps) {
  return (
    <form class="form card" method="post">
      {children}
      <div class="form-actions">
        <Button look="danger">{action}</Button>
        <ButtonLink href={back} look="quiet">Keep it</ButtonLink>
      </div>
    </form>
  );
}
