/**
 * Every key in the store, spelled once. Each group below belongs to one part of
 * the gateway; the first element of a key says which. Record ids grow with time,
 * so listing a prefix gives records in the order they were created.
 */

/** What the store says about itself. */
export const storeKeys = {
  /** Format of everything below, a number. */
  format: ["store", "format"],
  /** The secret made at first start, 32 bytes. */
  serverSecret: ["store", "server_secret"],
  /** Tells a changed secret from the one the stored hashes were made with. */
  serverSecretCheck: ["store", "server_secret_check"],
} as const satisfies Record<string, Deno.KvKey>;

/** Records of a collection (`gateway/store/collection.ts`) and how many there are. */
export const collectionKeys = {
  records: (collection: string): Deno.KvKey => [collection, "record"],
  record: (collection: string, id: string): Deno.KvKey => [collection, "record", id],
  count: (collection: string): Deno.KvKey => [collection, "count"],
};

/** Of a collection whose records are drafts until they are published (`gateway/drafts/`). */
export const draftKeys = {
  /** The highest `created_order` given out. */
  createdOrder: (collection: string): Deno.KvKey => [collection, "created_order"],
  /** Who deleted a draft and when, until the deletion is published. */
  removals: (collection: string): Deno.KvKey => [collection, "removed"],
  removal: (collection: string, id: string): Deno.KvKey => [collection, "removed", id],
};

export const websiteKeys = {
  /** In lower case, without a port: each host pattern has one website at most. */
  byHost: (hostPattern: string): Deno.KvKey => ["website_backends", "host", hostPattern],
};

/** API keys are found by their HMAC; the value is all that a call needs of its holder. */
export const apiKeyKeys = {
  holders: ["api_keys", "holder"] as Deno.KvKey,
  holder: (hash: Uint8Array): Deno.KvKey => ["api_keys", "holder", hash],
  /** Counts changes to holders and names the latest ones, for everybody who watches. */
  revision: ["api_keys", "revision"] as Deno.KvKey,
};

export const publishKeys = {
  /** Which version is live. */
  pointer: ["publish", "pointer"] as Deno.KvKey,
  versions: ["publish", "version"] as Deno.KvKey,
  version: (version: number): Deno.KvKey => ["publish", "version", version],
  /** The pieces of a version's content, under a random id of its own. */
  content: (contentId: string): Deno.KvKey => ["publish", "content", contentId],
  piece: (contentId: string, index: number): Deno.KvKey => [
    "publish",
    "content",
    contentId,
    index,
  ],
  /** Contents that no version refers to: not flipped to yet, or no longer kept. */
  unreferenced: ["publish", "unreferenced"] as Deno.KvKey,
  unreferencedContent: (contentId: string): Deno.KvKey => ["publish", "unreferenced", contentId],
};

/** Calls counted against quotas (`gateway/limit/quota_journal.ts`). */
export const quotaKeys = {
  journal: ["quotas", "journal"] as Deno.KvKey,
  /** Counters packed together; `writer` and `number` make the key unique. */
  entry: (writer: string, number: number): Deno.KvKey => ["quotas", "journal", writer, number],
};

/** Admins themselves are a collection; these are how they are found and what they hold. */
export const adminKeys = {
  byUsername: (username: string): Deno.KvKey => ["admins", "username", username],
  /** There once the first account is: from then on nobody else becomes the first admin. */
  setUp: ["admins", "set_up"] as Deno.KvKey,
  session: (hash: Uint8Array): Deno.KvKey => ["admin_sessions", hash],
  tokens: (adminId: string): Deno.KvKey => ["admin_tokens", "token", adminId],
  token: (adminId: string, id: string): Deno.KvKey => ["admin_tokens", "token", adminId, id],
  tokenByHash: (hash: Uint8Array): Deno.KvKey => ["admin_tokens", "hash", hash],
};

/**
 * The call log (`gateway/logs/`); times are milliseconds since the epoch,
 * so keys are in their order.
 */
export const logKeys = {
  /** Rows packed together, under the time of the first; `writer` and `number` make it unique. */
  chunk: (first: number, writer: string, number: number): Deno.KvKey => [
    "log",
    "chunk",
    first,
    writer,
    number,
  ],
  /** Where the chunks begin whose first row is of `time` or later. */
  chunksFrom: (time: number): Deno.KvKey => ["log", "chunk", time],
  /** Calls of one status class in the `step` (an hour, a minute) that begins at `start`. */
  count: (step: number, start: number, statusClass: number): Deno.KvKey => [
    "log",
    "count",
    step,
    start,
    statusClass,
  ],
  countsFrom: (step: number, start: number): Deno.KvKey => ["log", "count", step, start],
  /** Calls of one backend and status class in the hour that begins at `hour`. */
  hits: (hour: number, backendId: string, statusClass: number): Deno.KvKey => [
    "log",
    "hits",
    hour,
    backendId,
    statusClass,
  ],
  hitsFrom: (hour: number): Deno.KvKey => ["log", "hits", hour],
};
