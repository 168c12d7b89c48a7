/**
 * The checks on a matched call. Each is pure: it looks at the call and says pass
 * or refuse, and never writes an answer.
 */
import { inRanges } from "../exchange/client.ts";
import { bodyRefusal } from "../exchange/client_bounds.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { Call } from "./call.ts";

/** Refuses plain HTTP where the backend asks for HTTPS; before the key is looked at. */
export function requireHttps({ exchange, settings }: Call): Refusal | null {
  const wanted = settings.httpsRequired;
  return wanted && exchange.scheme !== "https" ? new Refusal("HTTPS_REQUIRED") : null;
}

/**
 * Refuses a missing, unknown or disabled key. Where keys are optional none is
 * needed, but one that is sent must still be good.
 */
export function authenticate({ settings, credential, holder }: Call): Refusal | null {
  if (credential === null) {
    return settings.apiKeyRequired ? new Refusal("API_KEY_MISSING") : null;
  }
  if (holder === null) return new Refusal("API_KEY_INVALID");
  return holder.enabled ? null : new Refusal("API_KEY_DISABLED");
}

/** Refuses a caller whose key lacks one of the roles the backend asks for. */
export function authorize({ settings, holder }: Call): Refusal | null {
  const missing = settings.requiredRoles.some((role) => holder === null || !holder.roles.has(role));
  return missing ? new Refusal("API_KEY_UNAUTHORIZED") : null;
}

/** Refuses an address that the backend's list or the key's own list does not hold. */
export function allowAddress({ exchange, settings, holder }: Call): Refusal | null {
  const lists = [settings.allowedAddresses, holder?.allowedAddresses ?? []];
  const outside = lists.some((list) => list.length > 0 && !inRanges(exchange.address, list));
  return outside ? new Refusal("API_KEY_UNAUTHORIZED") : null;
}

/** Refuses a body that is announced as too large; one without a length is counted as it comes. */
export function boundBody({ exchange, settings }: Call): Refusal | null {
  const bounds = settings.clientBounds.body;
  return (exchange.bodyLength ?? 0) > bounds.maxBytes
    ? bodyRefusal("body_too_large", bounds)
    : null;
}
