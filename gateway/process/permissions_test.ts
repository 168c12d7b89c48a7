import assert from "node:assert/strict";
import { join } from "node:path";
import { type Configuration, defaultConfiguration } from "../config/configuration.ts";
import { temporaryFolder } from "../config/testing.ts";
import { permissionFlags, shellQuoted } from "./permissions.ts";

const places = { projectFolder: "/opt/portico", systemFile: "/etc/portico/portico.yml" };

function flagsFor(config: Partial<Configuration>, file: string | null = null): string[] {
  const loaded = { config: { ...defaultConfiguration, ...config }, file, source: () => "default" };
  return permissionFlags(loaded, places);
}

Deno.test("the server may read itself, its configuration and its data, and write its data", () => {
  assert.deepEqual(flagsFor({ kv: "/srv/portico/portico.kv" }), [
    "--allow-net",
    "--allow-read=/opt/portico,/etc/portico/portico.yml,/srv/portico",
    "--allow-write=/srv/portico",
    "--allow-env=PORTICO_*,DENO_KV_ACCESS_TOKEN,LOG_STREAM,LOG_TOKENS",
  ]);
});

Deno.test("it never may run programs or load native code", () => {
  const flags = flagsFor({ kv: "/srv/portico/portico.kv" }).join(" ");
  assert.doesNotMatch(flags, /--allow-(run|ffi|all)|-A/);
});

Deno.test("the file it was started with and the certificates of hosts may be read", () => {
  const tls = { ssl_cert: "/etc/ssl/a.pem", ssl_cert_key: "/etc/ssl/private/a.key" };
  const plain = { ssl_cert: null, ssl_cert_key: null, http_strict_transport_security: null };
  const [, read] = flagsFor({
    kv: "/srv/portico/portico.kv",
    hosts: [
      { ...plain, hostname: "a", default: true, ...tls },
      { ...plain, hostname: "b", default: false },
    ],
  }, "/home/ada/portico.yml");
  assert.equal(
    read,
    "--allow-read=/opt/portico,/home/ada/portico.yml,/etc/ssl/a.pem,/etc/ssl/private/a.key,/srv/portico",
  );
});

Deno.test("with the store in memory or on another server nothing may be written", () => {
  for (const kv of [":memory:", "https://kv.example.org"]) {
    assert(!flagsFor({ kv }).some((flag) => flag.startsWith("--allow-write")));
  }
});

Deno.test("a folder with a comma in its name is allowed by the one above it", () => {
  const flags = flagsFor({ kv: "/srv/data, new/portico.kv" });
  assert(flags.includes("--allow-write=/srv"), flags.join(" "));
});

Deno.test("a shell reads back every word as it was", async () => {
  const words = ["plain", "two words", "it's", 'say "x"', "$HOME `id` \\", "a\nb\n", "", "*"];
  const { stdout } = await new Deno.Command("sh", {
    args: [
      "-c",
      `eval "set -- $1"; for word in "$@"; do printf '%s\\0' "$word"; done`,
      "sh",
      shellQuoted(words),
    ],
  }).output();
  assert.deepEqual(new TextDecoder().decode(stdout).split("\0").slice(0, -1), words);
});

Deno.test("the flags hold for paths with blanks, quotes and commas in them", async () => {
  await using folder = await temporaryFolder();
  const program = join(folder.path, "program.js");
  await Deno.writeTextFile(
    program,
    `const [folder, file] = Deno.args;
     Deno.mkdirSync(folder, { recursive: true });
     Deno.writeTextFileSync(file, "kept");
     console.log(Deno.readTextFileSync(file));`,
  );
  for (const name of [`it's "odd" $HOME`, "one, two"]) {
    const data = join(folder.path, name, "data");
    const kv = join(data, "portico.kv");
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--no-config", ...flagsFor({ kv }), program, data, kv],
    }).output();
    assert.equal(new TextDecoder().decode(stdout), "kept\n", new TextDecoder().decode(stderr));
  }
});
