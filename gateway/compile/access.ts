/** What the settings of a backend say about who may call it and how, made ready for the checks. */
import type { Configuration } from "../config/configuration.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { httpsCallBaseUrl, type HttpsPlace } from "../exchange/https_url.ts";
import { printable } from "../exchange/target.ts";
import { Pattern } from "../patterns/pattern.ts";
import type { Layers } from "./layers.ts";

/** What the server itself says about HTTPS. */
export interface HttpsRules {
  /** Whether it takes HTTPS calls; if so, plain HTTP is refused where no setting says otherwise. */
  readonly isServed: boolean;
  readonly place: HttpsPlace;
  /** Plain HTTP calls to these paths are sent to HTTPS, whatever the settings say. */
  readonly redirectedPaths: Pattern | null;
}

/** What of the configuration they are made from. */
export type HttpsConfiguration = HttpsPlace & Pick<Configuration, "router">;

export function compileHttpsRules(config: HttpsConfiguration): HttpsRules {
  const redirected = config.router.api_backend_required_https_regex_default;
  return {
    isServed: config.https_port !== null,
    place: config,
    redirectedPaths: redirected === null ? null : new Pattern(redirected),
  };
}

/** Whether calls need an API key. */
export function isKeyRequired(layers: Layers): boolean {
  return layers.value("disable_api_key") !== true;
}

/** Whether plain HTTP calls are refused, all of them. */
export function isHttpsRequired(layers: Layers, isServed: boolean): boolean {
  const unsaid = isServed ? "required_return_error" : "optional";
  return (layers.value("require_https") ?? unsaid) === "required_return_error";
}

/** Whether somebody who begins to call at this path has to do it over HTTPS, or is sent there. */
export function isHttpsForNewcomers(layers: Layers, https: HttpsRules, path: string): boolean {
  return isHttpsRequired(layers, https.isServed) || httpsTransitionStart(layers) !== null ||
    layers.value("redirect_https") === true || https.redirectedPaths?.test(path) === true;
}

/**
 * Plain HTTP calls without a key, or with one made from this moment on (ms since the
 * epoch), are refused; null: there is no transition. One whose start nobody has set
 * has not begun for any key.
 */
export function httpsTransitionStart(layers: Layers): number | null {
  if (layers.value("require_https") !== "transition_return_error") return null;
  return moment(layers.nearest("require_https")?.require_https_transition_start_at) ?? Infinity;
}

/**
 * Keys made from this moment on (ms since the epoch) need a holder whose address is
 * verified: all of them from `-Infinity` on, none from `Infinity`.
 */
export function verifiedFrom(layers: Layers): number {
  switch (layers.value("api_key_verification_level")) {
    case "required_email":
      return -Infinity;
    case "transition_email":
      return moment(
        layers.nearest("api_key_verification_level")?.api_key_verification_transition_start_at,
      ) ?? Infinity;
    default:
      return Infinity;
  }
}

function moment(time: string | null | undefined): number | null {
  return time == null ? null : Date.parse(time);
}

/** Gives the URL that a call to the gateway is sent to, or null when it may go on as it came. */
export type HttpsRedirect = (exchange: Exchange) => string | null;

/** Null: plain HTTP calls are never sent to HTTPS. */
export function compileHttpsRedirect(
  layers: Layers,
  { redirectedPaths, place }: HttpsRules,
): HttpsRedirect | null {
  if (layers.value("redirect_https") === true) return httpsRedirect(place);
  return redirectedPaths === null ? null : httpsRedirect(place, redirectedPaths);
}

/** Sends plain HTTP calls to HTTPS: those to paths that match, or all. */
export function httpsRedirect(place: HttpsPlace, paths: Pattern | null = null): HttpsRedirect {
  return (exchange) =>
    exchange.scheme === "https" || paths?.test(exchange.path) === false
      ? null
      : sameCallAt(httpsCallBaseUrl(place, exchange.host), exchange);
}

/** As it came, with the key if it is in the query: else the call would fail there. */
function sameCallAt(base: string, { path, query }: Exchange): string {
  return base + printable(query === null ? path : `${path}?${query}`);
}
