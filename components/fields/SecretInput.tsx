/** A field for a secret: its text is hidden until somebody asks to see it. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ComponentProps } from "preact";
import { Button } from "../Button.tsx";
import { TextField } from "../Field.tsx";

export function SecretInput(props: ComponentProps<typeof TextField>) {
  const shown = useSignal(false);
  const interactive = useSignal(false);
  useEffect(() => {
    interactive.value = true;
  }, []);
  return (
    <div class="secret">
      <TextField
        {...props}
        type={shown.value ? "text" : "password"}
        autocomplete="new-password"
      />
      {interactive.value && (
        <Button
          small
          type="button"
          aria-pressed={shown.value}
          onClick={() => shown.value = !shown.value}
        >
          Show<span class="visually-hidden">{` ${props.label}`}</span>
        </Button>
      )}
    </div>
  );
}
