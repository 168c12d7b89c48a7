/** Narrows the list of API users to a state; each is a link, so that it can be passed on. */
import { userStates } from "@/gateway/users/users.ts";

export function UserFilters({ url }: { url: URL }) {
  const chosen = url.searchParams.get("state") ?? "";
  const choices = [["", "All"], ...userStates.map((state) => [state, capitalized(state)])] as const;
  return (
    <nav class="segments user-states" aria-label="State of the key">
      {choices.map(([state = "", words]) => (
        <a
          key={state}
          href={stateUrl(url, state)}
          aria-current={state === chosen ? "true" : undefined}
        >
          {words}
        </a>
      ))}
    </nav>
  );
}

function stateUrl(url: URL, state: string): string {
  const params = new URLSearchParams(url.search);
  for (const name of ["cursor", "done", "user"]) params.delete(name);
  if (state === "") params.delete("state");
  else params.set("state", state);
  return params.size === 0 ? url.pathname : `${url.pathname}?${params}`;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
