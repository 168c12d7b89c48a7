/**
 * Published versions in the store. A version is written in full, under a content
 * id that nothing refers to yet; then one commit checks that the pointer is what
 * it was and moves it. Whatever happens before that commit leaves the old version
 * live, and the content marked as unreferenced, to be swept at the next start.
 */
import { deleteKeys, keysOf } from "../store/deletion.ts";
import { publishKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { type Content, DamagedContent, type PackedContent, unpackContent } from "./content.ts";

/** Versions whose content is kept, the live one included. */
export const VERSIONS_KEPT = 50;
/** Pieces of 60 KiB in one commit, which may have 800 KiB. */
const PIECES_PER_COMMIT = 12;
/** Pieces read at a time. */
const PIECES_BATCH = 100;

/** Which version is live. */
export interface Pointer {
  readonly version: number;
}

/** Where a version's content is, and how to tell that it is whole. */
export interface ContentReference {
  readonly id: string;
  readonly pieces: number;
  readonly digest: string;
}

/** What is known of a version, however old. */
export interface Version {
  readonly version: number;
  /** ISO 8601. */
  readonly published_at: string;
  readonly published_by: string;
  readonly note: string;
  /** What changed by id, or the first thousand of them. */
  readonly changed_ids: readonly string[];
  readonly changed_count: number;
  /** Null when the content is no longer kept. */
  readonly content: ContentReference | null;
}

/** Content that is in the store, but that no version refers to yet. */
export interface StagedContent extends ContentReference {
  readonly versionstamp: string;
}

export class Versions {
  readonly #kv: Deno.Kv;

  constructor(store: Store) {
    this.#kv = store.kv;
  }

  pointer(): Promise<Deno.KvEntryMaybe<Pointer>> {
    return this.#kv.get<Pointer>(publishKeys.pointer);
  }

  /** The latest versions, newest first. */
  async latest(limit: number): Promise<Version[]> {
    const versions: Version[] = [];
    const newestFirst = { limit, reverse: true };
    for await (
      const entry of this.#kv.list<Version>({ prefix: publishKeys.versions }, newestFirst)
    ) versions.push(entry.value);
    return versions;
  }

  /** A version with its content. Throws {@linkcode DamagedContent} unless it is whole. */
  async load(number: number): Promise<{ version: Version; content: Content }> {
    const { value: version } = await this.#kv.get<Version>(publishKeys.version(number));
    if (version === null) throw new DamagedContent("it is not in the store");
    if (version.content === null) throw new DamagedContent("its content is no longer kept");
    const { id, digest } = version.content;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (
      const entry of this.#kv.list<Uint8Array<ArrayBuffer>>({ prefix: publishKeys.content(id) }, {
        batchSize: PIECES_BATCH,
      })
    ) pieces.push(entry.value);
    if (pieces.length !== version.content.pieces) {
      throw new DamagedContent(
        `${pieces.length} of its ${version.content.pieces} pieces are there`,
      );
    }
    return { version, content: await unpackContent({ pieces, digest }) };
  }

  /** Writes the content of the version `number` to be, without making it live. */
  async stage(number: number, { pieces, digest }: PackedContent): Promise<StagedContent> {
    const id = crypto.randomUUID();
    const key = publishKeys.unreferencedContent(id);
    const { versionstamp } = await this.#kv.set(key, number);
    for (let at = 0; at < pieces.length; at += PIECES_PER_COMMIT) {
      // Once swept (by a server that starts just now) nothing more is written, and `flip` refuses.
      const commit = this.#kv.atomic().check({ key, versionstamp });
      pieces.slice(at, at + PIECES_PER_COMMIT).forEach((piece, index) => {
        commit.set(publishKeys.piece(id, at + index), piece);
      });
      await commit.commit();
    }
    return { id, pieces: pieces.length, digest, versionstamp };
  }

  /**
   * Makes a staged version live, if `seen` still is the pointer and nobody swept
   * the content meanwhile; otherwise gives false. The version that thereby gets too
   * old to keep loses its content in the same commit.
   */
  async flip(
    seen: Deno.KvEntryMaybe<Pointer>,
    about: Omit<Version, "content">,
    { versionstamp, ...content }: StagedContent,
  ): Promise<boolean> {
    const marker = publishKeys.unreferencedContent(content.id);
    const pointer: Pointer = { version: about.version };
    const version: Version = { ...about, content };
    const commit = this.#kv.atomic()
      .check(seen, { key: marker, versionstamp })
      .set(publishKeys.pointer, pointer)
      .set(publishKeys.version(about.version), version)
      .delete(marker);
    await this.#dropContent(about.version - VERSIONS_KEPT, commit);
    if ((await commit.commit()).ok) return true;
    // A client that repeats a commit whose answer got lost fails on its own success.
    const now = await this.#kv.get<Version>(publishKeys.version(about.version));
    return now.value?.content?.id === content.id;
  }

  /**
   * Deletes content that no version refers to: all of it, or that of versions up to
   * `number`, which leaves alone what is being staged for a later one.
   */
  async sweep(number = Infinity): Promise<void> {
    for await (const marker of this.#kv.list<number>({ prefix: publishKeys.unreferenced })) {
      if (marker.value <= number) await this.#discard(marker);
    }
  }

  async #dropContent(number: number, commit: Deno.AtomicOperation): Promise<void> {
    const { value: version } = await this.#kv.get<Version>(publishKeys.version(number));
    if (version === null || version.content === null) return;
    const without: Version = { ...version, content: null };
    commit.set(publishKeys.version(number), without)
      .set(publishKeys.unreferencedContent(version.content.id), number);
  }

  async #discard(marker: Deno.KvEntry<number>): Promise<void> {
    // Written anew first: from then on a publish that staged this cannot go live with it.
    const claim = this.#kv.atomic().check(marker).set(marker.key, marker.value);
    if (!(await claim.commit()).ok) return;
    const content = { prefix: publishKeys.content(String(marker.key.at(-1))) };
    await deleteKeys(this.#kv, keysOf(this.#kv, content));
    await this.#kv.delete(marker.key);
  }
}
