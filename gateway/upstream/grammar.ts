/**
 * The pieces of HTTP's grammar that heads and trailers share, over latin1 strings:
 * one character is one byte.
 */

/** token, RFC 9110 §5.6.2 */
export const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";

/** field-content without its outer white space taken off, RFC 9110 §5.5: no CR, LF or NUL. */
export const FIELD_CONTENT = "[\\t\\x20-\\x7e\\x80-\\xff]*";

/**
 * A field line, RFC 9112 §5. A space before the colon (§5.1) and a line that
 * begins with white space (obs-fold, §5.2) do not match: both have been used to
 * hide fields from one of two parsers.
 */
export const FIELD_LINE = `${TOKEN}:${FIELD_CONTENT}\\r\\n`;
