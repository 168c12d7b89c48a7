/** Finds the operations of a path in the table. */
import { API_BASE } from "./base.ts";
import type { Operation } from "./operation.ts";
import { operations } from "./operations.ts";

interface Route {
  /** What the path takes, by method. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** The path's parameter, decoded; empty where it has none. */
  readonly id: string;
}

/** `/v1/backends/17/health` as its collection, the parameter, and what is asked of that record. */
const OF_COLLECTION = /^(\/[^/]+\/[^/]+)\/([^/]+)(\/.+)?$/;

/** By path below the base, with `{}` for a parameter; a URL's path has no braces. */
const routes = new Map<string, Map<string, Operation>>();
for (const operation of operations) {
  const pattern = operation.path.replace(/\{\w+\}/, "{}");
  const methods = routes.get(pattern) ?? new Map<string, Operation>();
  routes.set(pattern, methods.set(operation.method, operation));
}

/** The route of a URL's path; null when there is none. A path of its own wins over a parameter. */
export function findRoute(pathname: string): Route | null {
  if (!pathname.startsWith(`${API_BASE}/`)) return null;
  const path = pathname.slice(API_BASE.length);
  const exact = routes.get(path);
  if (exact !== undefined) return { operations: exact, id: "" };
  const [, collection = "", segment = "", rest = ""] = OF_COLLECTION.exec(path) ?? [];
  const withParameter = routes.get(`${collection}/{}${rest}`);
  const id = decodedSegment(segment);
  return withParameter === undefined || id === "" ? null : { operations: withParameter, id };
}

/** Empty when it is not properly encoded: no id is. */
function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return "";
  }
}

/** The `Allow` header of a route (RFC 9110 §10.2.1). */
export function allowedMethods(route: Route): string {
  const methods = [...route.operations.keys()]
    .flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]);
  return [...methods, "OPTIONS"].join(", ");
}
