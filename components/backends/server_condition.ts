/** The condition of a server in a word, and what it means for calls; of several in a few words. */
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

/** How the servers of a backend fare together. */
export function serversCondition(
  servers: readonly ServerHealth[],
): { readonly tone: Tone; readonly words: string } {
  const [only, ...others] = servers.map(serverCondition);
  if (only !== undefined && others.length === 0) {
    return { tone: only.tone, words: `Server ${only.word.toLowerCase()}` };
  }
  const notUp = servers.filter(({ condition }) => condition !== "up");
  if (notUp.length === 0) return { tone: "ok", words: `${servers.length} servers up` };
  const isAnyUsed = servers.some(({ up_in }) => up_in > 0);
  return {
    tone: isAnyUsed ? "warn" : "bad",
    words: `${notUp.length} of ${servers.length} servers not up`,
  };
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times in a row`;
}
