/** Moves the keyboard to a filter box when `/` is pressed, and says so beside the box. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

interface FocusKeyProps {
  /** The id of the box. */
  readonly of: string;
}

export function FocusKey({ of }: FocusKeyProps) {
  const ready = useSignal(false);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTypedInto(event.target)) return;
      event.preventDefault();
      document.getElementById(of)?.focus();
    };
    document.addEventListener("keydown", focus);
    ready.value = true;
    return () => document.removeEventListener("keydown", focus);
  }, [of]);

  return ready.value ? <kbd class="focus-key" title="Press / to get to this box">/</kbd> : null;
}

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
