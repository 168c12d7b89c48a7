// What the two sides of the island props' encoding agree on.

/** Values that JSON has no word for; the n-th stands in the text as `-1 - n`. */
export const CONSTANTS: readonly unknown[] = [undefined, NaN, Infinity, -Infinity, -0];

/** A place in a sparse array that nothing is in. */
export const HOLE = -100;
