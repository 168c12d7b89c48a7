import assert from "node:assert/strict";
import fc from "fast-check";
import { Collection, type IndexEntry } from "./collection.ts";
import { Store } from "./store.ts";
import { fault } from "./testing.ts";

interface Book {
  readonly title: string;
  readonly shelf: string;
}

const byTitle = (title: string): Deno.KvKey => ["books", "by_title", title];

function titles(book: Book & { readonly id: string }): readonly IndexEntry[] {
  return [{ key: byTitle(book.title), value: book.id, unique: "title" }];
}

async function withBooks(work: (books: Collection<Book>, store: Store) => Promise<void>) {
  const store = await Store.open(":memory:");
  try {
    await work(
      new Collection<Book>(store, { name: "books", noun: "book", indexes: titles }),
      store,
    );
  } finally {
    store.close();
  }
}

const book = (title: string): Book => ({ title, shelf: "A" });

Deno.test("a new record carries who made it, when, and version 1", () =>
  withBooks(async (books) => {
    const record = await books.create(book("Emma"), "jane");
    assert.equal(record.title, "Emma");
    assert.equal(record.version, 1);
    assert.equal(record.created_by, "jane");
    assert.equal(record.updated_by, "jane");
    assert.equal(record.created_at, record.updated_at);
    assert.deepEqual(await books.get(record.id), record);
  }));

Deno.test("a change keeps who made the record and moves the version on", () =>
  withBooks(async (books) => {
    const made = await books.create(book("Emma"), "jane");
    const changed = await books.change(made.id, (it) => ({ ...it, shelf: "B" }), "mary", 1);
    assert.equal(changed.shelf, "B");
    assert.equal(changed.version, 2);
    assert.equal(changed.created_by, "jane");
    assert.equal(changed.updated_by, "mary");
  }));

Deno.test("a change or removal that asks for another version is refused as stale", () =>
  withBooks(async (books) => {
    const { id } = await books.create(book("Emma"), "jane");
    await books.change(id, (it) => it, "jane");
    await assert.rejects(books.change(id, (it) => it, "mary", 1), fault("STALE"));
    await assert.rejects(books.remove(id, 1), fault("STALE"));
    assert.equal((await books.get(id)).version, 2);
  }));

Deno.test("of many changes to one version at once, one is made and the others are stale", () =>
  withBooks(async (books) => {
    const { id } = await books.create(book("Emma"), "jane");
    const results = await Promise.allSettled(
      Array.from(
        { length: 8 },
        (_, i) => books.change(id, (it) => ({ ...it, shelf: String(i) }), "mary", 1),
      ),
    );
    assert.equal(results.filter((result) => result.status === "fulfilled").length, 1);
    for (const result of results) {
      if (result.status === "rejected") fault("STALE")(result.reason);
    }
    assert.equal((await books.get(id)).version, 2);
  }));

Deno.test("changes at once by two holders of the store are all made, one after another", () =>
  withBooks(async (books, store) => {
    const others = new Collection<Book>(store, { name: "books", noun: "book", indexes: titles });
    const { id } = await books.create(book("Emma"), "jane");
    await Promise.all(
      Array.from(
        { length: 20 },
        (_, i) =>
          (i % 2 ? books : others).change(id, (it) => ({ ...it, shelf: `${it.shelf}x` }), "mary"),
      ),
    );
    const record = await books.get(id);
    assert.equal(record.version, 21);
    assert.equal(record.shelf, `A${"x".repeat(20)}`);
  }));

Deno.test("a unique key is taken only once, and free again after a change or removal", () =>
  withBooks(async (books, store) => {
    const emma = await books.create(book("Emma"), "jane");
    await assert.rejects(books.create(book("Emma"), "mary"), fault("INVALID_INPUT", "title"));
    await books.change(emma.id, (it) => ({ ...it, title: "Persuasion" }), "jane");
    const second = await books.create(book("Emma"), "mary");
    assert.equal((await store.kv.get(byTitle("Emma"))).value, second.id);
    await books.remove(second.id);
    assert.equal((await store.kv.get(byTitle("Emma"))).value, null);
    assert.equal(await books.count(), 1);
  }));

Deno.test("a removed record is not found, nor is an id that is none", () =>
  withBooks(async (books) => {
    const { id } = await books.create(book("Emma"), "jane");
    await books.remove(id);
    for (const gone of [id, "", "x".repeat(5000), "../etc", "\0"]) {
      await assert.rejects(books.get(gone), fault("NOT_FOUND"));
      await assert.rejects(books.change(gone, (it) => it, "jane"), fault("NOT_FOUND"));
      await assert.rejects(books.remove(gone), fault("NOT_FOUND"));
    }
  }));

Deno.test("a record too large for the store is refused as bad input, and says so", () =>
  withBooks(async (books) => {
    const large = book("x".repeat(70_000));
    await assert.rejects(books.create(large, "jane"), (error) => {
      fault("INVALID_INPUT")(error);
      return /too large/.test(String(error));
    });
    assert.equal(await books.count(), 0);
  }));

Deno.test("paging gives every record once, in the order of creation, with the exact total", () =>
  withBooks(async (books) => {
    const made: string[] = [];
    for (let i = 0; i < 13; i++) made.push((await books.create(book(`${i}`), "jane")).id);
    for (const limit of [1, 4, 13, 100]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await books.list({ limit, cursor });
        assert.equal(page.total, 13);
        assert.ok(page.items.length <= limit);
        seen.push(...page.items.map((record) => record.id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      assert.deepEqual(seen, made);
    }
  }));

Deno.test("a page of picked records counts only those, and continues after the last one", () =>
  withBooks(async (books) => {
    for (let i = 0; i < 9; i++) await books.create(book(`${i}`), "jane");
    const even = (it: Book) => Number(it.title) % 2 === 0;
    const first = await books.list({ limit: 3 }, even);
    assert.deepEqual(first.items.map((it) => it.title), ["0", "2", "4"]);
    assert.equal(first.total, 5);
    const second = await books.list({ limit: 3, cursor: first.next_cursor ?? undefined }, even);
    assert.deepEqual(second.items.map((it) => it.title), ["6", "8"]);
    assert.equal(second.next_cursor, null);
  }));

Deno.test("a limit out of range or a cursor that is none of ours is refused by its name", () =>
  withBooks(async (books) => {
    for (const limit of [0, -1, 1001, 1.5, NaN]) {
      await assert.rejects(books.list({ limit }), fault("INVALID_INPUT", "limit"));
    }
    await fc.assert(fc.asyncProperty(fc.string(), async (cursor) => {
      await assert.rejects(books.list({ cursor }), fault("INVALID_INPUT", "cursor"));
    }));
  }));
