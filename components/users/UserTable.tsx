/** The API users as a table; a row leads to where the user is edited. */
import type { ApiUser } from "@/gateway/records/user.ts";
import { userState } from "@/gateway/users/users.ts";
import { type Column, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { EnableButton } from "./EnableButton.tsx";
import { UserStatePill } from "./UserStatePill.tsx";

interface UserTableProps {
  readonly users: readonly ApiUser[];
  /** The page it is on. */
  readonly url: URL;
}

export function UserTable({ users, url }: UserTableProps) {
  return (
    <div class="table-cards users-table">
      <Table
        caption="API users"
        columns={columnsOn(url)}
        rows={users}
        rowKey={(user) => user.id}
      />
    </div>
  );
}

function columnsOn(url: URL): readonly Column<ApiUser>[] {
  const now = Date.now();
  return [
    {
      key: "email",
      title: "Email",
      cell: (user) => <a class="row-link" href={`/admin/users/${user.id}`}>{user.email}</a>,
    },
    { key: "name", title: "Name", cell: (user) => <Person user={user} /> },
    { key: "key", title: "Key", cell: (user) => <code>{user.api_key_preview}…</code> },
    {
      key: "state",
      title: "State",
      cell: (user) => <UserStatePill state={userState(user, now)} />,
    },
    { key: "roles", title: "Roles", cell: (user) => <code>{user.roles.join(", ")}</code> },
    { key: "created", title: "Since", cell: (user) => <Since user={user} /> },
    {
      key: "enable",
      title: "Disable or enable",
      kind: "action",
      cell: (user) => <EnableButton user={user} back={url.pathname + url.search} small />,
    },
  ];
}

/** What the key is for says in a list more than a name does. */
function Person({ user }: { user: ApiUser }) {
  const purpose = user.use_description.replace(/\s+/g, " ").trim();
  return (
    <span class="cell-lines">
      {user.first_name} {user.last_name}
      {purpose !== "" && <span class="muted small user-purpose" title={purpose}>{purpose}</span>}
    </span>
  );
}

const sources: Record<ApiUser["registration_source"], string> = {
  web: "sign-up page",
  api: "sign-up by a program",
  admin: "an admin",
};

function Since({ user }: { user: ApiUser }) {
  return (
    <span class="cell-lines">
      <Time at={user.created_at} />
      <span class="muted small">{sources[user.registration_source]}</span>
    </span>
  );
}
