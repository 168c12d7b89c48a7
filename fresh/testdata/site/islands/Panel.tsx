import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export default function Panel(
  { title, children, startsOpen = false }: {
    title: string;
    children: ComponentChildren;
    startsOpen?: boolean;
  },
) {
  const [open, setOpen] = useState(startsOpen);
  return (
    <section>
      <button type="button" onClick={() => setOpen(!open)}>{title}</button>
      {open && <div class="panel">{children}</div>}
    </section>
  );
}

export function Total({ count }: { count: Signal<number> }) {
  return <b class="total">{count}</b>;
}
