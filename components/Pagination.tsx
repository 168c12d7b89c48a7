/** How many there are, and the way to the next page of them (by cursor, in the URL). */

interface PaginationProps {
  readonly url: URL;
  readonly shown: number;
  readonly total: number;
  readonly nextCursor: string | null;
  /** One and several of what is listed: `["call", "calls"]`. */
  readonly noun: readonly [one: string, several: string];
}

export function Pagination({ url, shown, total, nextCursor, noun }: PaginationProps) {
  const onFirstPage = !url.searchParams.has("cursor");
  return (
    <nav class="pagination" aria-label="Pages">
      <p>
        {shown < total ? `${shown.toLocaleString("en")} of ` : ""}
        {total.toLocaleString("en")} {total === 1 ? noun[0] : noun[1]}
      </p>
      {(!onFirstPage || nextCursor !== null) && (
        <p class="row">
          {!onFirstPage && <a href={pageLink(url, null)}>First page</a>}
          {nextCursor !== null && <a href={pageLink(url, nextCursor)} rel="next">Next page</a>}
        </p>
      )}
    </nav>
  );
}

/** The same list from `cursor` on; null is its beginning. */
export function pageLink(url: URL, cursor: string | null): string {
  const params = new URLSearchParams(url.search);
  if (cursor === null) params.delete("cursor");
  else params.set("cursor", cursor);
  return params.size === 0 ? url.pathname : `${url.pathname}?${params}`;
}
