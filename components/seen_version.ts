/** The version of what a form was made from, as the form sends it along. */

/** Undefined when it says none. */
export function seenVersion(version = ""): number | undefined {
  return /^\d{1,15}$/.test(version) ? Number(version) : undefined;
}
