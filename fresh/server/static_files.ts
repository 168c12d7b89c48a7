// Serves the files of `static/` and the browser bundles. Only what the build
// listed is served, so no path can lead elsewhere.
import { ASSET_CACHE_PARAM } from "../runtime/asset.ts";
import { HttpError } from "../runtime/http_error.ts";
import type { Context } from "./context.ts";
import { internals } from "./context_internals.ts";
import type { StaticFile } from "./snapshot.ts";
import type { Middleware } from "./types.ts";

const IMMUTABLE = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";

/** The middleware that answers requests for static files and passes on all others. */
export function staticFiles<State>(): Middleware<State> {
  return async (ctx) => {
    const { snapshot } = ctx[internals];
    const pathname = decodedPath(ctx);
    if (snapshot?.mode === "development" && pathname === "/_fresh/alive") {
      return ctx.text(snapshot.revision, { headers: { "cache-control": "no-store" } });
    }
    const file = pathname === null ? undefined : snapshot?.staticFiles.get(pathname);
    if (!snapshot || !file) {
      return pathname === "/favicon.ico" ? new Response(null, { status: 404 }) : await ctx.next();
    }
    if (ctx.req.method !== "GET" && ctx.req.method !== "HEAD") throw new HttpError(405);

    const lock = ctx.url.searchParams.get(ASSET_CACHE_PARAM);
    if (lock !== null && lock !== snapshot.buildId) return redirectToPlainUrl(ctx.url);
    const locked = file.immutable || lock !== null;
    const headers = headersOf(file, snapshot.mode === "production", locked);
    if (matches(ctx.req.headers.get("if-none-match"), headers.get("etag"))) {
      return new Response(null, { status: 304, headers });
    }
    if (typeof file.content !== "string") return new Response(file.content, { headers });
    return await fileResponse(ctx, snapshot.root + file.content, headers);
  };
}

/** The request's path below the base path, decoded; null if there can be no file for it. */
function decodedPath<State>(ctx: Context<State>): string | null {
  const { basePath } = ctx.config;
  const { pathname } = ctx.url;
  if (!pathname.startsWith(`${basePath}/`)) return null;
  try {
    return decodeURIComponent(pathname.slice(basePath.length));
  } catch {
    return null; // Not percent-encoded text: no file has such a name.
  }
}

/** A URL that is locked to another build may show what is there now, but not for ever. */
function redirectToPlainUrl(url: URL): Response {
  const plain = new URL(url);
  plain.searchParams.delete(ASSET_CACHE_PARAM);
  return new Response(null, {
    status: 307,
    headers: { location: plain.pathname + plain.search, "cache-control": REVALIDATE },
  });
}

function headersOf(file: StaticFile, isProduction: boolean, isLocked: boolean): Headers {
  const headers = new Headers({ "content-type": file.contentType, vary: "If-None-Match" });
  headers.set("cache-control", isProduction && isLocked ? IMMUTABLE : REVALIDATE);
  if (isProduction) headers.set("etag", `W/"${file.hash}"`);
  return headers;
}

/** Whether one of the client's versions is the one there is (RFC 9110 §13.1.2, weak comparison). */
function matches(ifNoneMatch: string | null, etag: string | null): boolean {
  if (ifNoneMatch === null || etag === null) return false;
  const weak = (tag: string) => tag.trim().replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" ||
    ifNoneMatch.split(",").some((tag) => weak(tag) === weak(etag));
}

async function fileResponse<State>(
  ctx: Context<State>,
  path: string,
  headers: Headers,
): Promise<Response> {
  const file = await openFile(path);
  if (file === null) return await ctx.next();
  headers.set("content-length", String((await file.stat()).size));
  if (ctx.req.method === "GET") return new Response(file.readable, { headers });
  file.close();
  return new Response(null, { headers });
}

/** The file, or null when it was removed since the build. */
async function openFile(path: string): Promise<Deno.FsFile | null> {
  try {
    return await Deno.open(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
