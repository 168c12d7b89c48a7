/**
 * One field of many rows, stored compactly: neighbouring calls share most of
 * their values, so each distinct value is written once and rows refer to it.
 * Filters then test a value once however many rows have it.
 */

/** A field's value in one row; null where the row lacks the field. */
export type Cell = string | number | null;

/**
 * Without an index, row i has `values[i]`, or `values[0]` when there is only one.
 * With an index, row i has `values[index[i]]`.
 */
export type Column = readonly [values: readonly Cell[], index?: readonly number[]];

/** The column of a field that no row has. */
export const emptyColumn: Column = [[null]];

export function isEmptyColumn([values]: Column): boolean {
  return values.length === 1 && values[0] === null;
}

/** Packs the cells of at least one row. */
export function packColumn(cells: readonly Cell[]): Column {
  const places = new Map<Cell, number>();
  const index: number[] = [];
  let previous: Cell | undefined;
  let place = 0;
  for (const cell of cells) {
    if (cell !== previous) {
      place = places.get(cell) ?? places.size;
      if (place === places.size) places.set(cell, place);
      previous = cell;
      // An index pays only where values repeat.
      if (places.size > 1 && places.size > cells.length / 2) return [cells];
    }
    index.push(place);
  }
  const values = [...places.keys()];
  return values.length === 1 ? [values] : [values, index];
}

export function cellOf(column: Column, row: number): Cell {
  const [values, index] = column;
  if (index !== undefined) return values[index[row] ?? 0] ?? null;
  return values[values.length === 1 ? 0 : row] ?? null;
}

/** Which of `rows` have a cell that passes `test`; each distinct value is tested once. */
export function selectRows(
  column: Column,
  rows: readonly number[],
  test: (cell: Cell) => boolean,
): readonly number[] {
  const [values, index] = column;
  const verdicts = values.map(test);
  if (!verdicts.includes(true)) return [];
  if (!verdicts.includes(false)) return rows;
  return index === undefined
    ? rows.filter((row) => verdicts[row])
    : rows.filter((row) => verdicts[index[row] ?? 0]);
}
