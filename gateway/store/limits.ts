/**
 * What every Deno KV accepts, embedded or self-hosted. The embedded one takes
 * more checks; holding to the smaller number keeps a move to a server possible.
 */

/** Bytes of one serialized value. */
export const VALUE_MAX_BYTES = 65_536;
/** Mutations in one atomic commit. */
export const COMMIT_MAX_MUTATIONS = 1000;
/** Bytes of keys and values in one atomic commit. */
export const COMMIT_MAX_BYTES = 800 * 1024;
