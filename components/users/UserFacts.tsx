/** What is known of an API user that nobody types: the key, where it came from, who changed it. */
import type { ApiUser } from "@/gateway/records/user.ts";
import { Time } from "../Time.tsx";

const sources: Record<ApiUser["registration_source"], string> = {
  web: "on the sign-up page",
  api: "by a program, at the sign-up page",
  admin: "by an admin",
};

export function UserFacts({ user }: { user: ApiUser }) {
  return (
    <dl class="facts card">
      <dt>Key</dt>
      <dd>
        <code>{user.api_key_preview}…</code>
      </dd>
      <dt>Made</dt>
      <dd>
        <Time at={user.created_at} /> {sources[user.registration_source]}
        {user.registration_source === "admin" && ` (${user.created_by})`}
        {user.registration_ip !== null && (
          <>
            , from <code>{user.registration_ip}</code>
          </>
        )}
      </dd>
      <dt>Changed</dt>
      <dd>
        <Time at={user.updated_at} /> by {user.updated_by}
      </dd>
      <dt>Id</dt>
      <dd>
        <code>{user.id}</code>
      </dd>
    </dl>
  );
}
