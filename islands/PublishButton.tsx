/** The button of the publish page: says how many of the changes are chosen. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "@/components/Button.tsx";

interface PublishButtonProps {
  /** How many are chosen when the page comes. */
  readonly chosen: number;
}

/**
 * Without script, style sheets alone tell that a box has been touched; then the
 * button speaks of the chosen changes, since nobody counts them.
 */
export function PublishButton({ chosen }: PublishButtonProps) {
  const element = useRef<HTMLSpanElement>(null);
  const counted = useSignal<number | null>(null);

  useEffect(() => {
    const form = element.current?.closest("form");
    if (!form) return;
    const count = () => counted.value = form.querySelectorAll('[name^="ids["]:checked').length;
    count();
    form.addEventListener("change", count);
    return () => form.removeEventListener("change", count);
  }, []);

  return (
    <Button look="primary" disabled={counted.value === 0}>
      <span ref={element} class={counted.value === null ? "publish-counted" : undefined}>
        {words(counted.value ?? chosen)}
      </span>
      {counted.value === null && <span class="publish-uncounted">Publish the chosen changes</span>}
    </Button>
  );
}

function words(count: number): string {
  if (count === 0) return "Nothing chosen to publish";
  return count === 1 ? "Publish 1 change" : `Publish ${count} changes`;
}
