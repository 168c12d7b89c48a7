/** A list with nothing in it: why, what to do next, and how the same is done with curl. */
import type { ComponentChildren } from "preact";

interface EmptyStateProps {
  readonly title: string;
  readonly text: ComponentChildren;
  /** The button that ends the emptiness, and a `CopyBox` with the `curl` line. */
  readonly children?: ComponentChildren;
}

export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}
