// One request as middlewares, handlers and pages see it.
import { type FunctionComponent, isValidElement } from "preact";
import { type ContextInternals, internals } from "./context_internals.ts";
import { renderDocument } from "./render.ts";
import type { Snapshot } from "./snapshot.ts";
import type { LayoutConfig, ResolvedFreshConfig } from "./types.ts";

interface ContextInit<State> {
  readonly req: Request;
  readonly url: URL;
  readonly params: Record<string, string>;
  readonly route: string | null;
  readonly info: Deno.ServeHandlerInfo;
  readonly config: ResolvedFreshConfig;
  readonly snapshot: Snapshot | null;
}

const NotInside: FunctionComponent = () => null;

export class Context<State> {
  readonly req: Request;
  /** The request's URL, with runs of slashes in its path made one. */
  readonly url: URL;
  /** The route's parameters, decoded as by `decodeURI`. */
  readonly params: Record<string, string>;
  /** The pattern that matched, or null. */
  readonly route: string | null;
  /** The app's own, empty at first, for this request alone. */
  state: State;
  /** What the server says of the connection, as it was handed in. */
  readonly info: Deno.ServeHandlerInfo;
  readonly config: ResolvedFreshConfig;
  /** What was thrown, in an error page; else null. */
  error: unknown = null;
  readonly isPartial = false;
  data: unknown = undefined;
  Component: FunctionComponent = NotInside;
  /** Runs what is below this middleware. */
  next: () => Promise<Response>;
  readonly [internals]: ContextInternals<State>;

  constructor(init: ContextInit<State>) {
    this.req = init.req;
    this.url = init.url;
    this.params = init.params;
    this.route = init.route;
    this.info = init.info;
    this.config = init.config;
    // The app's middlewares fill it in; until then it is what every request starts with.
    this.state = {} as State;
    this.next = () => Promise.reject(new Error("ctx.next() has nothing below it"));
    this[internals] = {
      snapshot: init.snapshot,
      frame: { wrapper: null, layouts: [] },
      nonce: crypto.getRandomValues(new Uint8Array(16)).toBase64(),
    };
  }

  /**
   * Sends the client elsewhere. A path stays on this site: `//evil.example`, which a browser
   * reads as a host, becomes `/evil.example`.
   */
  redirect(pathOrUrl: string, status = 302): Response {
    return new Response(null, { status, headers: { location: redirectTarget(pathOrUrl) } });
  }

  /** Renders `vnode` inside the layouts and the app wrapper, as a whole document. */
  render(vnode: unknown, init: ResponseInit = {}, config: LayoutConfig = {}): Promise<Response> {
    if (!isValidElement(vnode)) {
      return Promise.reject(new TypeError("ctx.render() takes a JSX element"));
    }
    return renderDocument(this, vnode, init, config);
  }

  text(body: string, init?: ResponseInit): Response {
    return typed(body, "text/plain; charset=utf-8", init);
  }

  html(body: string, init?: ResponseInit): Response {
    return typed(body, "text/html; charset=utf-8", init);
  }

  json(value: unknown, init?: ResponseInit): Response {
    return Response.json(value, init);
  }
}

function typed(body: BodyInit, contentType: string, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  if (!headers.has("content-type")) headers.set("content-type", contentType);
  return new Response(body, { ...init, headers });
}

/** Browsers take `\` for `/` in URLs and drop tabs and line breaks, so this does, too. */
function redirectTarget(pathOrUrl: string): string {
  // A header holds ASCII; what else is in a URL is written percent-encoded (RFC 3986 §2.1).
  const clean = pathOrUrl.toWellFormed().replace(/[\t\r\n]/g, "")
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  if (!/^[/\\]/.test(clean)) return clean;
  const end = clean.search(/[?#]/);
  const path = end < 0 ? clean : clean.slice(0, end);
  const rest = end < 0 ? "" : clean.slice(end);
  return path.replace(/[/\\]+/g, "/") + rest;
}
