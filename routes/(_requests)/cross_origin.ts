/** Forms that need no session, but that no other site may make its visitors send. */
import type { State } from "@/define.ts";
import { crossOrigin } from "@/gateway/admins/same_origin.ts";
import { Fault } from "@/gateway/faults.ts";

/**
 * Throws a `Fault` `FORBIDDEN` when the form was sent by a page of another site. It
 * could sign visitors in to somebody else's account, or use up their share of keys.
 * @param path of the page that has the form, for whoever wants to fill it in
 */
export function refuseCrossOrigin(state: State, request: Request, path: string): void {
  if (!crossOrigin(request, state.client)) return;
  throw new Fault(
    "FORBIDDEN",
    `This form was sent by a page of another site. Open ${state.client.baseUrl}${path} itself.`,
  );
}
