/** Reads the fields that say how long an answer is fresh: directives and dates. */

/** Directives by name in lower case; the value as it is without quotes, or null. */
export type Directives = ReadonlyMap<string, string | null>;

/**
 * token [ "=" ( token / quoted-string ) ], RFC 9111 §5.2; `;` parameters
 * belong to Surrogate-Control.
 */
const DIRECTIVE = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s,;"]*))?/g;

/** Of a name that occurs twice the first one counts (RFC 9111 §4.2.1). */
export function readDirectives(value: string): Directives {
  const directives = new Map<string, string | null>();
  for (const [, name = "", argument] of value.matchAll(DIRECTIVE)) {
    const key = name.toLowerCase();
    if (directives.has(key)) continue;
    const isQuoted = argument?.startsWith('"') === true;
    directives.set(key, isQuoted ? argument.slice(1, -1) : argument ?? null);
  }
  return directives;
}

/** Larger ones mean "for ever" (RFC 9111 §1.2.2). */
const SECONDS_MAX = 2 ** 31;

/** delta-seconds; undefined when there is no such directive, 0 (stale) when its value is none. */
export function secondsOf(directives: Directives, name: string): number | undefined {
  const value = directives.get(name);
  if (value === undefined) return undefined;
  const digits = value === null ? undefined : /^\d+/.exec(value)?.[0];
  return digits === undefined ? 0 : Math.min(Number(digits), SECONDS_MAX);
}

/** The three forms of HTTP-date, RFC 9110 §5.6.7. */
const IMF_OR_850 = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** In ms since the epoch; null for what is no HTTP-date. */
export function readDate(value: string): number | null {
  const text = IMF_OR_850.test(value) ? value : ASCTIME.test(value) ? `${value} GMT` : null;
  const time = text === null ? NaN : Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
