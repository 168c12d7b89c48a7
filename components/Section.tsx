/** A part of a long form: its title and what is set in it on one line, its fields when open. */
import type { ComponentChildren } from "preact";

interface SectionProps {
  readonly title: string;
  /** What is set, in a few words: "2 servers, least connections". */
  readonly set: string;
  readonly open: boolean;
  readonly children: ComponentChildren;
}

export function Section({ title, set, open, children }: SectionProps) {
  return (
    <details class="section" open={open}>
      <summary class="disclosure">
        <span class="section-title">{title}</span>
        <span class="section-set">{set}</span>
      </summary>
      <div class="section-body">{children}</div>
    </details>
  );
}
