import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { IS_BROWSER } from "fresh/runtime";

export default function Counter(
  { label, count }: { label: string; count: Signal<number> },
) {
  const id = useId();
  return (
    <>
      <label for={id}>{label}</label>
      <output id={id}>{count}</output>
      <button
        type="button"
        disabled={!IS_BROWSER}
        onClick={() => count.value++}
      >
        Add to {label}
      </button>
    </>
  );
}
