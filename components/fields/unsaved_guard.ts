/** Keeps what was typed into a form from being lost by leaving its page. */
import { useEffect, useRef } from "preact/hooks";

/** Asks before the page is left while `isUnsaved`; whoever sets the result to true may go. */
export function useUnsavedGuard(isUnsaved: () => boolean) {
  const leaving = useRef(false);
  const unsaved = useRef(isUnsaved);
  unsaved.current = isUnsaved;
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!leaving.current && unsaved.current()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return leaving;
}
