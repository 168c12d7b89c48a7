/**
 * Tests that need a program which not every machine has. Where it is missing they are
 * left out, with a word about it; in CI they run all the same, and fail.
 */

export interface Need {
  /** What is needed, and how to get it. */
  readonly what: string;
  readonly isThere: boolean;
}

/** As `Deno.test`, for a machine that has what is needed. */
export function testWith(need: Need, name: string, test: () => void | Promise<void>): void {
  const isInCi = Deno.env.get("CI") !== undefined;
  const ignore = !need.isThere && !isInCi;
  if (ignore) console.warn(`LEFT OUT, needs ${need.what}: ${name}`);
  Deno.test({ name, ignore, fn: test });
}
