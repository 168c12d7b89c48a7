/**
 * Copies the text of an element. It reads the page rather than being given the
 * text, so a secret stands in the document once.
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

const ANSWER_SHOWN_MS = 2000;

interface CopyButtonProps {
  /** The id of the element whose text is copied. */
  readonly of: string;
  /** What is copied, for screen readers. */
  readonly label: string;
}

export function CopyButton({ of, label }: CopyButtonProps) {
  const ready = useSignal(false);
  const answer = useSignal<"Copied" | "Press Ctrl+C" | null>(null);

  useEffect(() => {
    ready.value = true;
  }, []);

  useEffect(() => {
    if (answer.value === null) return;
    const timer = setTimeout(() => answer.value = null, ANSWER_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [answer.value]);

  async function copy() {
    const source = document.getElementById(of);
    if (source !== null) answer.value = await copyText(source) ? "Copied" : "Press Ctrl+C";
  }

  return (
    <button
      type="button"
      class="button button-secondary button-small copy-button"
      data-ready={ready.value ? "" : undefined}
      onClick={copy}
    >
      <span aria-live="polite">{answer.value ?? "Copy"}</span>{" "}
      <span class="visually-hidden">{label}</span>
    </button>
  );
}

/** Leaves the text selected where the browser does not let it be copied. */
async function copyText(source: HTMLElement): Promise<boolean> {
  // Over plain HTTP on a LAN there is no Clipboard API (secure contexts only).
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(source.textContent ?? "");
      return true;
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
    }
  }
  getSelection()?.selectAllChildren(source);
  return document.execCommand("copy");
}
