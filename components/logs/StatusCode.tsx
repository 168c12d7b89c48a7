/** A status as a pill with its number; its class is told by shape and colour. */
import { Pill, type Tone } from "../Pill.tsx";

const tones: Readonly<Record<number, Tone>> = { 2: "ok", 3: "accent", 4: "warn", 5: "bad" };

export function StatusCode({ status }: { status: number }) {
  return <Pill tone={tones[Math.floor(status / 100)] ?? "neutral"}>{status}</Pill>;
}
