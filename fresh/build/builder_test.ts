import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Builder } from "../dev.ts";

const PROJECT: Record<string, string> = {
  "deno.json": '{ "imports": { "preact": "npm:preact@10.29.8" } }',
  "app.js": `
    import { App, staticFiles } from "fresh";
    export const app = new App().use(staticFiles()).fsRoutes();
  `,
  "routes/index.js": `
    import { h } from "preact";
    import Hello from "../islands/Hello.js";
    export default () => h(Hello, { name: "you" });
  `,
  "routes/(_parts)/part.js": "export const notARoute = true;",
  "routes/index_test.js": "throw new Error('a test is no route');",
  "islands/Hello.js": `
    import { h } from "preact";
    import { greeting } from "../words.js";
    export default ({ name }) => h("p", null, greeting, " ", name);
  `,
  "words.js": 'export const greeting = "Hello";',
  "static/style.css": "p { color: red }",
  "static/.hidden": "",
};

/** Runs `use` with a project of these files, on top of the ones above. */
async function withProject(
  files: Record<string, string>,
  use: (root: string, builder: Builder) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    for (const [file, content] of Object.entries({ ...PROJECT, ...files })) {
      await write(root, file, content);
    }
    await use(root, new Builder({ root, serverEntry: "app.js" }));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function write(root: string, file: string, content: string): Promise<void> {
  await Deno.mkdir(join(root, file, ".."), { recursive: true });
  await Deno.writeTextFile(join(root, file), content);
}

function readSnapshot(root: string): Promise<string> {
  return Deno.readTextFile(join(root, "_fresh/snapshot.js"));
}

async function buildId(root: string): Promise<string> {
  return /buildId: "([0-9a-f]+)"/.exec(await readSnapshot(root))![1]!;
}

Deno.test("a build is a module that answers requests, with its bundles and static files", async () => {
  await withProject({}, async (root, builder) => {
    await builder.build();
    const server = await import(pathToFileURL(join(root, "_fresh/server.js")).href);
    const get = async (path: string): Promise<string> =>
      await (await server.default.fetch(new Request(`http://site.example${path}`))).text();
    const page = await get("/");
    assert.match(page, /<!--frsh:island:Hello:0:--><p>Hello you<\/p>/);
    const script = /src="([^"]+\/boot\.js)"/.exec(page)![1]!;
    assert.match(await get(script), /frsh:island/);
    assert.match(await get(script.replace("boot", "Hello")), /"Hello"/);
    assert.equal(await get("/style.css"), "p { color: red }");
    assert.equal(await get("/.hidden"), "Not Found");
    assert.equal(await get("/part"), "Not Found");
  });
});

Deno.test("an unchanged project keeps its build, untouched", async () => {
  await withProject({}, async (root, builder) => {
    await builder.build();
    const before = await Deno.stat(join(root, "_fresh/snapshot.js"));
    await builder.build();
    const after = await Deno.stat(join(root, "_fresh/snapshot.js"));
    assert.deepEqual([after.ino, after.mtime], [before.ino, before.mtime]);
  });
});

Deno.test("the same files make the same build, elsewhere and at another time", async () => {
  await withProject({}, async (first, builder) => {
    await builder.build();
    await withProject({}, async (second, other) => {
      await other.build();
      assert.equal(await buildId(second), await buildId(first));
    });
  });
});

Deno.test("what reaches the browser names the build", async () => {
  await withProject({}, async (root, builder) => {
    const ids = new Set<string>();
    const changes: [string, string][] = [
      ["words.js", 'export const greeting = "Good day";'],
      ["static/style.css", "p { color: blue }"],
      ["static/new.css", ""],
    ];
    await builder.build();
    ids.add(await buildId(root));
    for (const [file, content] of changes) {
      await write(root, file, content);
      await builder.build();
      ids.add(await buildId(root));
    }
    await builder.build({ mode: "development" });
    ids.add(await buildId(root));
    assert.equal(ids.size, 5);
  });
});

Deno.test("a new route is built in; what browsers have stays valid", async () => {
  await withProject({}, async (root, builder) => {
    await builder.build();
    const id = await buildId(root);
    await write(root, "routes/about.js", "export const handler = () => new Response('about');");
    await builder.build();
    assert.match(await readSnapshot(root), /about\.js/);
    assert.equal(await buildId(root), id);
  });
});

Deno.test("a build that was broken off is made again", async () => {
  await withProject({}, async (root, builder) => {
    await builder.build();
    await Deno.remove(join(root, "_fresh/build.json"));
    await Deno.writeTextFile(join(root, "_fresh/snapshot.js"), "broken off");
    await builder.build();
    assert.match(await readSnapshot(root), /buildId/);
  });
});

Deno.test("a mistake in an island is reported with file and line", async () => {
  await withProject({ "islands/Hello.js": "export default () => {\n  return <<;\n};" }, async (
    _root,
    builder,
  ) => {
    await assert.rejects(builder.build(), /islands\/Hello\.js:2:\d+: ERROR/);
  });
});

Deno.test("an import that browsers cannot have is reported with its importer", async () => {
  const files = { "words.js": 'import "unknown"; export const greeting = "";' };
  await withProject(files, async (_root, builder) => {
    await assert.rejects(
      builder.build(),
      /words\.js imports "unknown", which browser code cannot have/,
    );
  });
});

Deno.test("while it is developed, an app is built again when a file changes", async () => {
  await withProject({}, async (root, builder) => {
    const stop = new AbortController();
    const listening = Promise.withResolvers<number>();
    const served = builder.listen(() => import(pathToFileURL(join(root, "app.js")).href), {
      port: 0,
      signal: stop.signal,
      onListen: ({ port }) => listening.resolve(port),
    });
    const origin = `http://localhost:${await listening.promise}`;
    const get = async (path: string) => await (await fetch(origin + path)).text();
    assert.match(await get("/"), /src="[^"]+\/reload\.js" nonce="/);

    const before = await get("/_fresh/alive");
    await write(root, "static/style.css", "p { color: green }");
    while (await get("/_fresh/alive") === before);
    assert.equal(await get("/style.css"), "p { color: green }");
    stop.abort();
    await served;
  });
});
