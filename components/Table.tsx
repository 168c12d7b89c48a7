/**
 * A table of records: a head that stays in sight, numbers at the right, columns
 * that sort by a link (the order is in the URL, so it works without script and
 * can be passed on).
 */
import type { ComponentChildren } from "preact";

export interface Column<Row> {
  /** Names the column in the URL (`sort=name`). */
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right in tabular figures. Buttons do too; their column's title is hidden. */
  readonly kind?: "numeric" | "action";
  readonly sortable?: boolean;
}

export interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

interface TableProps<Row> {
  /** What the table lists, for screen readers. */
  readonly caption: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly sorting?: Sorting;
  /** The page's URL, needed when a column is sortable. */
  readonly url?: URL;
}

export function Table<Row>({ caption, columns, rows, rowKey, sorting, url }: TableProps<Row>) {
  return (
    <div class="table-box" role="region" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                class={column.kind}
                aria-sort={sorting?.key !== column.key
                  ? undefined
                  : sorting.descending
                  ? "descending"
                  : "ascending"}
              >
                <ColumnTitle column={column} url={url} sorting={sorting} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0
                  ? <th key={column.key} scope="row">{column.cell(row)}</th>
                  : (
                    <td key={column.key} class={column.kind}>
                      {column.cell(row)}
                    </td>
                  )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ColumnTitleProps<Row> {
  readonly column: Column<Row>;
  readonly url: URL | undefined;
  readonly sorting: Sorting | undefined;
}

function ColumnTitle<Row>({ column, url, sorting }: ColumnTitleProps<Row>) {
  if (column.kind === "action") return <span class="visually-hidden">{column.title}</span>;
  if (!column.sortable || url === undefined) return <>{column.title}</>;
  return <a href={sortLink(url, column.key, sorting)}>{column.title}</a>;
}

/** The same page, sorted by `key`; a second time turns the order round. */
export function sortLink(url: URL, key: string, sorting: Sorting | undefined): string {
  const params = new URLSearchParams(url.search);
  const descending = sorting?.key === key && !sorting.descending;
  params.set("sort", descending ? `-${key}` : key);
  params.delete("cursor");
  return `${url.pathname}?${params}`;
}

/** Reads `sort=name` or `sort=-name`; only the columns that sort may be named. */
export function readSorting<Row>(url: URL, columns: readonly Column<Row>[]): Sorting | undefined {
  const value = url.searchParams.get("sort") ?? "";
  const key = value.replace(/^-/, "");
  const known = columns.some((column) => column.key === key && column.sortable);
  return known ? { key, descending: value.startsWith("-") } : undefined;
}
