/** The cache: how full it is, and giving up what is in it. */
import type { CacheAdministration } from "../cache/administration.ts";
import type { Operation } from "./operation.ts";

const tag = "Cache";

export const cacheOperations: readonly Operation[] = [
  {
    name: "getCache",
    method: "GET",
    path: "/v1/cache",
    tag,
    summary: "Read how full the cache is, and how many calls it has answered since the start.",
    auth: "admin",
    answer: { status: 200, description: "Its figures", schema: "CacheFigures" },
    handle: ({ portico }) => Promise.resolve({ body: figuresOf(portico.cache) }),
  },
  {
    name: "purgeCache",
    method: "POST",
    path: "/v1/cache/purge",
    tag,
    summary: "Give up stored answers: those of a backend, below a prefix, of one URL, or all. " +
      "None of them is given to a caller afterwards.",
    auth: "admin",
    body: { schema: "PurgeInput" },
    answer: { status: 200, description: "How many answers were given up", schema: "Purged" },
    handle: async ({ portico, input }) => ({ body: await portico.cache.purge(input) }),
  },
];

function figuresOf({ figures }: CacheAdministration) {
  const { entries, bytes, maxBytes, hits, misses } = figures;
  return { entries, bytes, max_bytes: maxBytes, hits, misses };
}
