/**
 * Which Deno Portico runs on. Older ones break off streamed request bodies, so
 * they are refused before anything is served.
 */

export const OLDEST_DENO = "2.9.6";

/** What is wrong with the runtime and what to do, for a person; null when it will do. */
export function runtimeProblem(version: string = Deno.version.deno): string | null {
  if (!isOlder(version, OLDEST_DENO)) return null;
  return `portico: needs Deno ${OLDEST_DENO} or newer, and this is Deno ${version}. ` +
    `"npx -y deno@${OLDEST_DENO} task start" runs it with the right one.`;
}

/** Compares `major.minor.patch`; a release candidate is older than its release. */
function isOlder(version: string, than: string): boolean {
  const [numbers, oldest] = [numbersOf(version), numbersOf(than)];
  const differing = oldest.findIndex((number, index) => numbers[index] !== number);
  if (differing === -1) return version.split("+")[0]?.includes("-") ?? false;
  return (numbers[differing] ?? 0) < (oldest[differing] ?? 0);
}

function numbersOf(version: string): number[] {
  return (version.split(/[-+]/)[0] ?? "").split(".").map(Number);
}
