/**
 * Something is wrong with a pattern or template that somebody wrote. The message goes
 * on behind the field's name: `has an error at character 3: …`.
 */
export class WrittenProblem extends Error {
  /** @param at where, from 0 */
  constructor(at: number, what: string) {
    super(`has an error at character ${at + 1}: ${what}`);
  }
}

/** The message of the problem that `make` throws; null when it throws none. */
export function problemOf(make: () => unknown): string | null {
  try {
    make();
    return null;
  } catch (error) {
    if (!(error instanceof WrittenProblem)) throw error;
    return error.message;
  }
}
