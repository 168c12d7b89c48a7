/**
 * The checks on a matched call. Each is pure: it looks at the call and says pass
 * or refuse, and never writes an answer.
 */
import { inRanges } from "../exchange/client.ts";
import { bodyRefusal } from "../exchange/client_bounds.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { Call } from "./call.ts";

/** Refuses plain HTTP where the backend asks for HTTPS; before the key is looked at. */
export function requireHttps({ exchange, route }: Call): Refusal | null {
  const wanted = route.backend.settings.httpsRequired;
  return wanted && exchange.scheme !== "https" ? new Refusal("HTTPS_REQUIRED") : null;
}

/**
 * Refuses a missing, unknown or disabled key. Where keys are optional none is
 * needed, but one that is sent must still be good.
 */
export function authenticate({ route, credential, holder }: Call): Refusal | null {
  if (credential === null) {
    return route.backend.settings.apiKeyRequired ? new Refusal("API_KEY_MISSING") : null;
  }
  if (holder === null) return new Refusal("API_KEY_INVALID");
  return holder.enabled ? null : new Refusal("API_KEY_DISABLED");
}

/** Refuses a caller whose key lacks one of the roles the backend asks for. */
export function authorize({ route, holder }: Call): Refusal | null {
  const missing = route.backend.settings.requiredRoles.some((role) =>
    holder === null || !holder.roles.has(role)
  );
  return missing ? new Refusal("API_KEY_UNAUTHORIZED") : null;
}

/** Refuses an address that the backend's list or the key's own list does not hold. */
export function allowAddress({ exchange, route, holder }: Call): Refusal | null {
  const lists = [route.backend.settings.allowedAddresses, holder?.allowedAddresses ?? []];
  const outside = lists.some((list) => list.length > 0 && !inRanges(exchange.address, list));
  return outside ? new Refusal("API_KEY_UNAUTHORIZED") : null;
}

/** Refuses a body that is announced as too large; one without a length is counted as it comes. */
export function boundBody({ exchange, route }: Call): Refusal | null {
  const bounds = route.backend.clientBounds.body;
  return (exchange.bodyLength ?? 0) > bounds.maxBytes
    ? bodyRefusal("body_too_large", bounds)
    : null;
}
