/** The API users: who holds a key, whether it works, what it may do. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { CopyBox } from "@/components/CopyBox.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Notice } from "@/components/Notice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Pagination } from "@/components/Pagination.tsx";
import { SearchForm } from "@/components/SearchForm.tsx";
import { UserFilters } from "@/components/users/UserFilters.tsx";
import { UserTable } from "@/components/users/UserTable.tsx";
import { defineAdmin } from "@/define.ts";
import type { Portico } from "@/gateway/portico.ts";
import type { ApiUser } from "@/gateway/records/user.ts";
import { userStates } from "@/gateway/users/users.ts";

const PAGE_SIZE = 50;

export const handler = defineAdmin.handlers({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const users = await ctx.state.portico.users.list({
      limit: PAGE_SIZE,
      cursor: searchParams.get("cursor") ?? undefined,
      search: searchParams.get("search") ?? "",
      state: userStates.find((state) => state === searchParams.get("state")),
      role: searchParams.get("role") || undefined,
    });
    return page({ users, done: await doneWords(ctx.state.portico, searchParams) });
  },
});

/** What has just happened, with the name of whom it happened to. */
async function doneWords({ users }: Portico, params: URLSearchParams): Promise<string | null> {
  const done = params.get("done");
  if (done === "deleted") return "The API user is deleted, and the key refused from now on.";
  if (done !== "saved" && done !== "disabled" && done !== "enabled") return null;
  const user = await users.find(params.get("user") ?? "");
  if (user === null) return null;
  const name = `${user.first_name} ${user.last_name}`;
  switch (done) {
    case "disabled":
      return `${name} is disabled: calls with this key are refused within a second.`;
    case "enabled":
      return `${name} is enabled: calls with this key are let in within a second.`;
    case "saved":
      return `${name} is saved. Calls with the key go by it within a second.`;
  }
}

export default defineAdmin.page<typeof handler>(function UsersPage({ data, state, url }) {
  const { users, done } = data;
  return (
    <>
      <PageHead
        title="API Users"
        siteName={state.portico.config.site_name}
        text="Whoever holds an API key, by sign-up or made here."
        action={<ButtonLink href="/admin/users/new" look="primary">Add an API user</ButtonLink>}
      />
      <div class="stack">
        {done !== null && <Notice tone="ok">{done}</Notice>}
        {users.total === 0 && !isNarrowed(url)
          ? <NoUsers baseUrl={state.client.baseUrl} />
          : <UserList users={users} url={url} />}
      </div>
    </>
  );
});

function isNarrowed({ searchParams }: URL): boolean {
  return ["search", "state", "role"].some((name) => searchParams.has(name));
}

interface UserListProps {
  readonly users: {
    readonly items: readonly ApiUser[];
    readonly next_cursor: string | null;
    readonly total: number;
  };
  readonly url: URL;
}

function UserList({ users, url }: UserListProps) {
  return (
    <div>
      <UserFilters url={url} />
      <SearchForm url={url} label="Email, name or start of the key" />
      {users.items.length === 0
        ? (
          <EmptyState
            title="Nobody found"
            text="No API user is like this. A search looks in the email address, the name and the start of the key."
          />
        )
        : <UserTable users={users.items} url={url} />}
      <Pagination
        url={url}
        shown={users.items.length}
        total={users.total}
        nextCursor={users.next_cursor}
        noun={["API user", "API users"]}
      />
    </div>
  );
}

function NoUsers({ baseUrl }: { baseUrl: string }) {
  const line = `curl -X POST -H "Content-Type: application/json" -d ` +
    `'{"email":"you@example.com","first_name":"Your","last_name":"Name",` +
    `"terms_and_conditions":true}' "${baseUrl}/signup/"`;
  return (
    <EmptyState
      title="Nobody has a key yet"
      text={
        <>
          Callers get theirs on the <a href="/signup/">sign-up page</a>, or with one line:
        </>
      }
    >
      <CopyBox id="sign-up-line" text={line} label="curl line to sign up" />
    </EmptyState>
  );
}
