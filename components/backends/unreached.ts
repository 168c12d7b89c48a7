/**
 * Prefixes of a backend that no call reaches: Portico's own pages are there, or a
 * backend that is asked first takes them. Both may be saved and published, so who
 * does it is told.
 */
import { hostName } from "@/gateway/exchange/host_name.ts";
import { canonicalPrefix } from "@/gateway/exchange/target.ts";
import type { Backend, BackendInput } from "@/gateway/records/backend.ts";
import { isOwnPath } from "@/gateway/serve/own_paths.ts";

/** Where calls come in, of a backend or of the form of one, as it is written there. */
type Written = Pick<BackendInput, "frontend_host"> & {
  readonly url_matches: readonly { readonly frontend_prefix: string }[];
};

/** Where calls come in, as they are compared with it. */
export interface Entrance {
  readonly name: string;
  readonly host: string;
  readonly prefixes: readonly string[];
}

/** Who takes the calls below a prefix. */
export type Taker =
  | { readonly kind: "own"; readonly path: string }
  | { readonly kind: "backend"; readonly name: string };

export interface UnreachedPrefix {
  readonly prefix: string;
  readonly taker: Taker;
}

/**
 * The prefixes of `backend` that are taken. `earlier` are the backends that win over
 * it where prefixes are equally long. A prefix that is not written yet is not taken.
 */
export function unreachedPrefixes(
  { frontend_host, url_matches }: Written,
  earlier: readonly Entrance[],
): UnreachedPrefix[] {
  const host = patternOf(frontend_host);
  return url_matches.flatMap(({ frontend_prefix }) => {
    const prefix = frontend_prefix.trim();
    const taker = prefix.startsWith("/") ? takerOf(host, prefix, earlier) : null;
    return taker === null ? [] : { prefix, taker };
  });
}

function takerOf(host: string, prefix: string, earlier: readonly Entrance[]): Taker | null {
  const path = ownPagesAt(prefix);
  if (path !== null) return { kind: "own", path };
  const canonical = canonicalPrefix(prefix);
  const winner = earlier.find((other) =>
    other.prefixes.includes(canonical) && coversHost(other.host, host)
  );
  return winner === undefined ? null : { kind: "backend", name: winner.name };
}

/**
 * The part of Portico that is at a frontend prefix, as `/admin/`; null when calls
 * get through. Of `/` the homepage takes no more than itself.
 */
export function ownPagesAt(prefix: string): string | null {
  const canonical = canonicalPrefix(prefix);
  if (!isOwnPath(canonical)) return null;
  return `/${canonical.split("/")[1]}/`;
}

function patternOf(typed: string): string {
  return hostName(typed.trim() || "*");
}

/** Whether every host that the pattern `b` stands for is one that `a` stands for. */
function coversHost(a: string, b: string): boolean {
  if (a === "*" || a === b) return true;
  if (a.startsWith("*.")) return b !== a.slice(1) && b.endsWith(a.slice(1));
  return a.startsWith(".") && (b === a.slice(1) || b.endsWith(a));
}

/** Why no call reaches the prefix. */
export function unreachedWords({ prefix, taker }: UnreachedPrefix): string {
  return taker.kind === "own"
    ? `Portico's own pages are at ${taker.path}: calls there never reach this backend.`
    : `“${taker.name}” has ${prefix} for the same host and was there first: calls there never ` +
      "reach this backend.";
}

interface Placed extends Entrance {
  /** Ties go to the lower number. */
  readonly order: number;
}

/** All backends as calls find them: those of the configuration file, then the drafts. */
export function entrances(fixed: readonly BackendInput[], drafts: readonly Backend[]): Placed[] {
  return [
    ...fixed.map((backend) => entrance(backend, -Infinity)),
    ...drafts.map((draft) => entrance(draft, draft.created_order)),
  ];
}

function entrance({ name, frontend_host, url_matches }: BackendInput, order: number): Placed {
  const prefixes = url_matches.map(({ frontend_prefix }) => canonicalPrefix(frontend_prefix));
  return { name, host: patternOf(frontend_host), prefixes, order };
}

/** Those that win over `backend`; null stands for one that is still to be added. */
export function entrancesBefore(
  backend: Pick<Backend, "created_order"> | null,
  all: readonly Placed[],
): Entrance[] {
  const own = backend?.created_order ?? Infinity;
  return all.filter(({ order }) => order < own)
    .map(({ name, host, prefixes }) => ({ name, host, prefixes }));
}
