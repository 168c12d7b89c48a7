/**
 * Arguments of a query, one at a time, as an upstream would read them
 * (application/x-www-form-urlencoded). Two spellings of a name are one name.
 */

/** The name in front of `=`, decoded. */
export function argumentName(argument: string): string {
  const equals = argument.indexOf("=");
  return decodeArgument(equals === -1 ? argument : argument.slice(0, equals));
}

/** What stands behind `=`, as it was written; empty without one. */
export function rawArgumentValue(argument: string): string {
  const equals = argument.indexOf("=");
  return equals === -1 ? "" : argument.slice(equals + 1);
}

/** Without its escapes; a text with a broken one stays as it is. */
export function decodeArgument(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
