/** How much each backend is used, hour by hour, from the counters kept beside the rows. */
import { logKeys } from "../store/keys.ts";
import { HOUR, stepBefore } from "./time_steps.ts";

/**
 * For every backend of `backendIds` its calls in each of the last `hours` hours,
 * oldest first; the last number is the hour that `now` (milliseconds) is in.
 */
export async function hitsPerHour(
  kv: Deno.Kv,
  backendIds: readonly string[],
  hours: number,
  now: number,
): Promise<Map<string, number[]>> {
  const hits = new Map(backendIds.map((id) => [id, Array.from({ length: hours }, () => 0)]));
  const end = stepBefore(now, HOUR) + HOUR;
  const start = end - hours * HOUR;
  const selector = { start: logKeys.hitsFrom(start), end: logKeys.hitsFrom(end) };
  for await (const { key, value } of kv.list<Deno.KvU64>(selector, { batchSize: 1000 })) {
    const [hour, backendId] = key.slice(-3);
    const ofBackend = hits.get(String(backendId));
    const index = (Number(hour) - start) / HOUR;
    if (ofBackend !== undefined) ofBackend[index] = (ofBackend[index] ?? 0) + Number(value.value);
  }
  return hits;
}
