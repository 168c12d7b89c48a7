/**
 * An answer that is an HTTP status: thrown anywhere below a route, it becomes
 * the nearest error page, or plain text when there is none.
 */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;

  /**
   * @param status the HTTP status to answer with
   * @param message shown to the client; the standard text of the status when empty
   */
  constructor(status: number, message = "", options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}
