/**
 * The checks on a matched call. Each is pure: it looks at the call and says what is to
 * come of it, and never writes an answer.
 */
import { inRanges, type Range } from "../exchange/client.ts";
import { bodyRefusal } from "../exchange/client_bounds.ts";
import type { HeaderFields } from "../exchange/header_fields.ts";
import { comesFrom, type RefererPattern } from "../exchange/referers.ts";
import { Refusal } from "../refusal/refusals.ts";
import { type Call, Reply } from "./call.ts";
import { withCors } from "./cors.ts";

/** Sends a call over plain HTTP to HTTPS, if the settings or the server say so. */
export function redirectToHttps({ exchange, settings }: Call): Reply | null {
  const location = settings.httpsRedirect?.(exchange) ?? null;
  if (location === null) return null;
  const fields: HeaderFields = [["location", location]];
  // A browser that calls for another site's page follows only where that page may read.
  return new Reply(
    301,
    settings.cors === null ? fields : withCors(fields, settings.cors, exchange),
  );
}

/** Refuses plain HTTP where the backend asks for HTTPS; before the key is looked at. */
export function requireHttps({ exchange, settings }: Call): Refusal | null {
  const wanted = settings.httpsRequired;
  return wanted && exchange.scheme !== "https" ? new Refusal("HTTPS_REQUIRED") : null;
}

/**
 * Refuses a missing, unknown, disabled or expired key, and one whose holder's address is
 * not verified where that is needed. Where keys are optional none is needed, but one that
 * is sent must still be good.
 */
export function authenticate({ settings, credential, holder }: Call, now: number): Refusal | null {
  if (credential === null) {
    return settings.apiKeyRequired ? new Refusal("API_KEY_MISSING") : null;
  }
  if (holder === null) return new Refusal("API_KEY_INVALID");
  if (!holder.enabled) return new Refusal("API_KEY_DISABLED");
  if (now >= holder.expiresAt) return new Refusal("API_KEY_EXPIRED");
  const mustBeVerified = holder.createdAt >= settings.verifiedFrom;
  return mustBeVerified && !holder.emailVerified ? new Refusal("API_KEY_UNVERIFIED") : null;
}

/** Refuses plain HTTP without a key, or with one from after the transition to HTTPS began. */
export function requireHttpsInTransition({ exchange, settings, holder }: Call): Refusal | null {
  const start = settings.httpsTransitionStart;
  if (start === null || exchange.scheme === "https") return null;
  return holder === null || holder.createdAt >= start ? new Refusal("HTTPS_REQUIRED") : null;
}

/** Refuses a caller whose key lacks one of the roles the backend asks for. */
export function authorize({ settings, holder }: Call): Refusal | null {
  const missing = settings.requiredRoles.some((role) => holder === null || !holder.roles.has(role));
  return missing ? new Refusal("API_KEY_UNAUTHORIZED") : null;
}

/** Refuses an address that the backend's list or the key's own list does not hold. */
export function allowAddress({ exchange: { address }, settings, holder }: Call): Refusal | null {
  const isOutside = isOutsideRanges(address, settings.allowedAddresses) ||
    (holder !== null && isOutsideRanges(address, holder.allowedAddresses));
  return isOutside ? new Refusal("API_KEY_UNAUTHORIZED") : null;
}

function isOutsideRanges(address: string, allowed: readonly Range[]): boolean {
  return allowed.length > 0 && !inRanges(address, allowed);
}

/** Refuses a page that the backend's list or the key's own list does not hold. */
export function allowReferer({ exchange: { headers }, settings, holder }: Call): Refusal | null {
  const isOutside = isFromElsewhere(headers, settings.allowedReferers) ||
    (holder !== null && isFromElsewhere(headers, holder.allowedReferers));
  return isOutside ? new Refusal("API_KEY_UNAUTHORIZED") : null;
}

function isFromElsewhere(headers: Headers, allowed: readonly RefererPattern[]): boolean {
  return allowed.length > 0 && !comesFrom(headers, allowed);
}

/** Refuses a body that is announced as too large; one without a length is counted as it comes. */
export function boundBody({ exchange, settings }: Call): Refusal | null {
  const bounds = settings.clientBounds.body;
  return (exchange.bodyLength ?? 0) > bounds.maxBytes
    ? bodyRefusal("body_too_large", bounds)
    : null;
}
