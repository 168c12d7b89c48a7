/** A status as a word with a shape of its own, so that it does not hang on its colour. */
import type { ComponentChildren } from "preact";

export type Tone = "ok" | "warn" | "bad" | "accent" | "neutral";

export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`pill pill-${tone}`}>{children}</span>;
}
