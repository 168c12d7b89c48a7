/** The filter box over a table. It is part of the URL, so a search can be passed on. */
import { FocusKey } from "@/islands/FocusKey.tsx";
import { Button, ButtonLink } from "./Button.tsx";

interface SearchFormProps {
  readonly url: URL;
  /** What can be searched for, for the label and inside the empty box. */
  readonly label: string;
}

export function SearchForm({ url, label }: SearchFormProps) {
  const search = url.searchParams.get("search") ?? "";
  return (
    <form class="table-tools" method="get" action={url.pathname} role="search">
      <label class="visually-hidden" for="search">{label}</label>
      <div class="search-box">
        <input
          id="search"
          class="input"
          type="search"
          name="search"
          value={search}
          placeholder={label}
          maxLength={255}
        />
        <FocusKey of="search" />
      </div>
      <Button>Search</Button>
      {search !== "" && <ButtonLink href={url.pathname} look="quiet">Show all</ButtonLink>}
    </form>
  );
}
