/** Numbers that only ever grow: 1, 2, 3 … each given out once, to whoever asks. */
import type { Store } from "./store.ts";

/** The next number under `key`. One that is drawn and not used leaves a gap. */
export async function drawNumber(store: Store, key: Deno.KvKey): Promise<number> {
  while (true) {
    const last = await store.kv.get<number>(key);
    const next = (last.value ?? 0) + 1;
    if ((await store.kv.atomic().check(last).set(key, next).commit()).ok) return next;
  }
}
