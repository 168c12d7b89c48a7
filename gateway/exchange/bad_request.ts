/** Why a request is not served; the text is shown to the caller. */
export class BadRequest {
  constructor(readonly reason: string) {}
}
