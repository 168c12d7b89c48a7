/**
 * Stage before forwarding: what goes out to the upstream, made in API Umbrella's order
 * (§2.7). The target is the canonical one with its prefix replaced, without the key,
 * rewritten as the backend wants it. The fields are the caller's without the key, what
 * the gateway says of the call, and what the backend's settings make of both.
 */
import type { Rewriting } from "../compile/rewriting.ts";
import { withoutApiKey } from "../exchange/api_key.ts";
import { BadRequest } from "../exchange/bad_request.ts";
import { fieldValue, type HeaderField, type HeaderFields } from "../exchange/header_fields.ts";
import { portOf, USUAL_PORTS } from "../exchange/host_name.ts";
import { canonicalPath } from "../exchange/target.ts";
import { Refusal } from "../refusal/refusals.ts";
import { passFields } from "../rewriting/passed_fields.ts";
import type { Call } from "./call.ts";
import { backendPath } from "./match.ts";

export interface Outgoing {
  readonly method: string;
  /** origin-form, RFC 9112 §3.2.1 */
  readonly target: string;
  readonly headers: HeaderFields;
}

/** A refusal when a rewrite makes a target of the call's that must not go out. */
export function rewrite(call: Call): Outgoing | Refusal {
  const target = outgoingTarget(call);
  return target instanceof Refusal
    ? target
    : { method: call.exchange.method, target, headers: outgoingFields(call) };
}

function outgoingTarget(call: Call): string | Refusal {
  const { exchange, route, settings: { rewriting } } = call;
  const path = wholePath(call);
  if (path instanceof Refusal) return path;
  const kept = withoutApiKey(exchange.query);
  const query = rewriting?.appendedQuery?.appendTo(kept) ?? kept;
  const target = query === null ? path : `${path}?${query}`;
  const { rewrites } = route.backend;
  const rewritten = rewrites === null ? target : rewrites.applyTo(exchange.method, target);
  if (typeof rewritten !== "string") return new Refusal("BAD_REQUEST", rewritten.reason);
  const key = rewriting?.passesKeyArgument ? passedKey(call) : null;
  return key === null ? rewritten : withKey(rewritten, key);
}

/**
 * Prefix and rest are canonical, each for itself. Where they meet, `..` behind `/api` could
 * become a segment behind `/v1/`, and halves of an escape one that no rule has seen.
 */
function wholePath({ exchange, route }: Call): string | Refusal {
  const path = backendPath(exchange, route);
  const canonical = canonicalPath(path);
  if (canonical === path) return path;
  const reason = canonical instanceof BadRequest
    ? canonical.reason
    : "The path holds a broken escape.";
  return new Refusal("BAD_REQUEST", `With the backend's prefix: ${reason}`);
}

/** Behind all rewrites, so that none of them can move the key to where it does not belong. */
function withKey(target: string, key: string): string {
  const separator = target.includes("?") ? (target.endsWith("?") ? "" : "&") : "?";
  return `${target}${separator}api_key=${encodeURIComponent(key)}`;
}

function outgoingFields(call: Call): HeaderFields {
  const said = saidFields(call);
  const { rewriting } = call.settings;
  const fields = rewriting === null ? said : withSettings(said, rewriting, passedKey(call));
  return call.route.backend.strippedCookies.stripFrom(fields);
}

/** The caller's fields, and what the gateway says of the call. */
function saidFields({ exchange, route, credential, holder }: Call): HeaderFields {
  const { forwarding, scheme, authority, requestId } = exchange;
  const port = forwarding.port ?? portOf(authority) ?? USUAL_PORTS[scheme];
  const fields: HeaderField[] = [
    ["host", route.backend.upstreamHost(exchange.host, authority)],
  ];
  passFields(exchange, credential, fields);
  fields.push(
    ["x-forwarded-for", forwarding.chain],
    ["x-forwarded-proto", scheme],
    ["x-forwarded-port", port],
    ["x-forwarded-host", authority],
    ["x-request-id", requestId],
  );
  if (holder !== null) {
    fields.push(["x-api-user-id", holder.id]);
    if (holder.roles.size > 0) fields.push(["x-api-roles", [...holder.roles].join(",")]);
  }
  return fields;
}

/** The key comes behind the set headers, so that none of their templates can repeat it. */
function withSettings(said: HeaderFields, rewriting: Rewriting, key: string | null): HeaderFields {
  const { setHeaders, passesKeyHeader, authorization } = rewriting;
  let fields = setHeaders?.applyTo(said) ?? said;
  if (passesKeyHeader && key !== null && fieldValue(fields, "x-api-key") === undefined) {
    fields = [...fields, ["x-api-key", key]];
  }
  if (authorization !== null) {
    const others = fields.filter(([name]) => name !== "authorization");
    fields = [...others, ["authorization", authorization]];
  }
  return fields;
}

/** The key, for a backend that wants it; one that is nobody's goes nowhere. */
function passedKey({ credential, holder }: Call): string | null {
  return holder === null ? null : credential?.key ?? null;
}
