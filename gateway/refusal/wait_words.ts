/** How long to wait, as one would say it. */

/** In seconds, the smallest first; each is used up to two of the next. */
const units = [["second", 1], ["minute", 60], ["hour", 3600], ["day", 86_400]] as const;

const english = new Intl.RelativeTimeFormat("en");

/** `in 90 seconds`, `in 5 minutes`: never too short, so it is rounded up. */
export function waitWords(seconds: number): string {
  const [unit, length] = units.findLast(([, length]) => seconds >= 2 * length) ?? units[0];
  return english.format(Math.ceil(seconds / length), unit);
}
