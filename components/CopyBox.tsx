/** Text to take along: a key, a `curl` line. Without script it can be marked and copied by hand. */
import { CopyButton } from "@/islands/CopyButton.tsx";

interface CopyBoxProps {
  /** Names the text on its page; the copy button finds it by this id. */
  readonly id: string;
  readonly text: string;
  /** What it is, for screen readers: "API key". */
  readonly label: string;
  /** For the one thing a page is about, such as a new key. */
  readonly large?: boolean;
}

export function CopyBox({ id, text, label, large = false }: CopyBoxProps) {
  return (
    <div class={large ? "copy-box copy-box-large" : "copy-box"} role="group" aria-label={label}>
      <code id={id}>{text}</code>
      <CopyButton of={id} label={label} />
    </div>
  );
}
