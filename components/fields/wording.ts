/** Small turns of words that summaries and titles of fields are made of. */

/** A label as it stands within a sentence. */
export function decapitalized(label: string): string {
  // "IP addresses" and "HTTPS" keep their capitals.
  return /^\p{Lu}\p{Lu}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

/** `2 roles`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
