// URLs of static files that may be cached for ever: they carry the build id,
// so a new build is a new URL.

/** The query parameter that locks a URL to one build. */
export const ASSET_CACHE_PARAM = "__frsh_c";

let buildId = "";

/** Says which build `asset` locks URLs to: on the server by the snapshot, in the browser by the page. */
export function setBuildId(id: string): void {
  buildId = id;
}

/** The URL of a static file, locked to the running build. Only paths of this site are changed. */
export function asset(path: string): string {
  if (buildId === "" || !path.startsWith("/") || path.startsWith("//")) return path;
  const [, pathname = "", query = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(path) ?? [];
  const params = new URLSearchParams(query);
  if (params.has(ASSET_CACHE_PARAM)) return path;
  params.set(ASSET_CACHE_PARAM, buildId);
  return `${pathname}?${params}${hash}`;
}

/** `asset` for each URL in a `srcset`. */
export function assetSrcSet(srcset: string): string {
  // A data: URL holds commas of its own, and nothing in such a list is ours to lock.
  if (srcset.includes("data:")) return srcset;
  return srcset.split(",").map((candidate) => {
    const [url = "", ...descriptors] = candidate.trim().split(/\s+/);
    return [asset(url), ...descriptors].join(" ");
  }).join(", ");
}

/** Locks the images of an element to the build, unless it has `data-fresh-disable-lock`. */
export function lockImages(type: unknown, props: Record<string, unknown>): void {
  if ((type !== "img" && type !== "source") || props["data-fresh-disable-lock"]) return;
  if (typeof props.src === "string") props.src = asset(props.src);
  for (const name of ["srcset", "srcSet"]) {
    const value = props[name];
    if (typeof value === "string") props[name] = assetSrcSet(value);
  }
}
