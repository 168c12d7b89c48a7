/** Faults that whoever filled in a form can put right: they get the form again, as it was. */
import { Fault } from "@/gateway/faults.ts";

/** `error` if showing the form again helps; throws it if not, so that the error page answers. */
export function correctable(error: unknown): Fault {
  if (error instanceof Fault && error.status >= 401 && error.status < 500) return error;
  throw error;
}

/** A page that tells of a fault is not kept, and says when to try again where that is known. */
export function faultInit(fault: Fault): { status: number; headers: Record<string, string> } {
  return {
    status: fault.status,
    headers: {
      "cache-control": "no-store",
      ...(fault.retryAfter !== undefined && { "retry-after": String(fault.retryAfter) }),
    },
  };
}
