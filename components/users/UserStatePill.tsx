/** How an API user's key stands. */
import type { UserState } from "@/gateway/users/users.ts";
import { Pill } from "../Pill.tsx";

const pills = {
  enabled: { tone: "ok", words: "Enabled" },
  disabled: { tone: "bad", words: "Disabled" },
  expired: { tone: "warn", words: "Expired" },
} as const satisfies Record<UserState, unknown>;

export function UserStatePill({ state }: { state: UserState }) {
  const { tone, words } = pills[state];
  return <Pill tone={tone}>{words}</Pill>;
}
