/** Disables a user's key or enables it again: one click, by a form of its own. */
import type { ApiUser } from "@/gateway/records/user.ts";
import { Button } from "../Button.tsx";

interface EnableButtonProps {
  readonly user: ApiUser;
  /** The page to come back to. */
  readonly back: string;
  readonly small?: boolean;
}

export function EnableButton({ user, back, small = false }: EnableButtonProps) {
  return (
    <form method="post" action={`/admin/users/${user.id}/enabled`}>
      <input type="hidden" name="enabled" value={user.enabled ? "false" : "true"} />
      <input type="hidden" name="back" value={back} />
      <Button small={small}>
        {user.enabled ? "Disable" : "Enable"}
        <span class="visually-hidden">{` the key of ${user.email}`}</span>
      </Button>
    </form>
  );
}
