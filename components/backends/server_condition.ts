/** The condition of a server in a word, and what it means for calls. */
import type { ServerHealth } from "@/gateway/upstream/server_state.ts";
import type { Tone } from "../Pill.tsx";

export interface ConditionWords {
  readonly tone: Tone;
  readonly word: string;
  readonly detail: string | null;
}

export function serverCondition(server: ServerHealth): ConditionWords {
  const { condition, failures, up_in, isolates } = server;
  switch (condition) {
    case "up":
      return { tone: "ok", word: "Up", detail: null };
    case "left_out":
      return { tone: "bad", word: "Left out", detail: `failed ${times(failures)}` };
    case "unhealthy":
      return { tone: "bad", word: "Unhealthy", detail: "fails its checks" };
    case "partly_up":
      return { tone: "warn", word: "Partly up", detail: `in ${up_in} of ${isolates} workers` };
  }
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times in a row`;
}
