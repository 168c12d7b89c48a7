/**
 * What can go wrong while an admin, a visitor or the REST API asks Portico for
 * something: one error type with a stable code, a public message and, where a
 * field is to blame, its path. Callers of a backend never meet these; what they
 * meet is a refusal (`gateway/refusal/`).
 */

/** One thing that is wrong, as it stands in `{"errors":[…]}`. */
export interface FieldError {
  /** Stable and machine-readable: `INVALID_INPUT`, `NOT_FOUND` … */
  readonly code: string;
  /** For a person: names the thing, the place and the way out. */
  readonly message: string;
  /** Path of the field to blame, such as `servers[0].host`. */
  readonly field?: string;
}

/** Every kind of fault, with the HTTP status it is answered with. */
export const faultStatus = {
  BAD_REQUEST: 400,
  NOT_SIGNED_IN: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  STALE: 412,
  TOO_LARGE: 413,
  INVALID_INPUT: 422,
  TOO_MANY_ATTEMPTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type FaultKind = keyof typeof faultStatus;

/** A fault that is answered to whoever asked; `internal` is for the server's log alone. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly kind: FaultKind;
  readonly errors: readonly FieldError[];
  readonly internal: unknown;
  /** Seconds to wait before trying again, for `TOO_MANY_ATTEMPTS` and `UNAVAILABLE`. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: FaultKind,
    errors: string | readonly FieldError[],
    options: { internal?: unknown; retryAfter?: number } = {},
  ) {
    const list = typeof errors === "string" ? [{ code: kind, message: errors }] : errors;
    super(list.map((error) => error.message).join(" "));
    this.kind = kind;
    this.errors = list;
    this.internal = options.internal;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return faultStatus[this.kind];
  }
}

/** A 422 for one field, for the checks a schema cannot express. */
export function invalidField(field: string, message: string): Fault {
  return new Fault("INVALID_INPUT", [{ code: "INVALID_INPUT", message, field }]);
}
