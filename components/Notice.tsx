/** What has just happened, or what to know before going on. */
import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

const looks = {
  ok: { icon: "check", role: "status" },
  info: { icon: "info", role: undefined },
  warn: { icon: "alert", role: undefined },
  bad: { icon: "alert", role: "alert" },
} as const;

interface NoticeProps {
  /** `ok` and `bad` answer what somebody did, and are read out at once. */
  readonly tone: keyof typeof looks;
  readonly children: ComponentChildren;
}

export function Notice({ tone, children }: NoticeProps) {
  const { icon, role } = looks[tone];
  return (
    <div class={`notice notice-${tone}`} role={role}>
      <Icon name={icon} />
      <div>{children}</div>
    </div>
  );
}
