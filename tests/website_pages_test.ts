/** The admin's pages of website backends, as a browser without script uses them. */
import assert from "node:assert/strict";
import { password, setUp } from "./harness/admin.ts";
import { ask } from "./harness/by_host.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

/** Somebody who is signed in. */
class Visitor {
  constructor(readonly base: string, readonly cookie: string) {}

  static async signIn(portico: RunningPortico): Promise<Visitor> {
    const response = await fetch(`${portico.url()}/admin/api/v1/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "admin@example.org", password }),
    });
    await response.body?.cancel();
    const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
    return new Visitor(portico.url(), cookie);
  }

  async open(path: string): Promise<string> {
    const response = await fetch(this.base + path, { headers: { cookie: this.cookie } });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  }

  /** The answer to a form: where it leads, or the page that it comes back as. */
  async post(path: string, fields: Record<string, string>) {
    const response = await fetch(this.base + path, {
      method: "POST",
      headers: { cookie: this.cookie, origin: this.base },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
    const text = await response.text();
    return { status: response.status, location: response.headers.get("location") ?? "", text };
  }
}

Deno.test("a website backend is added, published, changed and deleted in the admin", async () => {
  await using upstream = await startUpstream((_request, response) => response.end("welcome"));
  await using portico = await startPortico({
    config:
      "website_backends:\n  - { frontend_host: fixed.example, server_host: a, server_port: 1 }\n",
  });
  await setUp(portico);
  const visitor = await Visitor.signIn(portico);
  const statusOf = async () => (await ask(portico.url(), "www.example.org", "/about")).status;

  assert.match(await visitor.open("/admin/websites"), /fixed\.example.*from portico\.yml/s);

  const wrong = await visitor.post("/admin/websites/new", {
    frontend_host: "http://www.example.org/",
    backend_protocol: "http",
    server_host: "",
    server_port: "",
  });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /3 things to put right/);
  assert.match(wrong.text, /value="http:\/\/www\.example\.org\/"/);

  const made = await visitor.post("/admin/websites/new", {
    frontend_host: "www.example.org",
    backend_protocol: "http",
    server_host: "127.0.0.1",
    server_port: String(upstream.port),
  });
  assert.equal(made.status, 303, made.text);
  const path = made.location.split("?")[0] ?? "";
  assert.match(await visitor.open(made.location), /Saved\. Not live until you publish/);
  assert.equal(await statusOf(), 404);

  const id = path.split("/").at(-1) ?? "";
  const review = await visitor.open("/admin/publish");
  assert.match(review, /www\.example\.org/);
  assert.match(review, new RegExp(`href="/admin/websites/${id}"`));
  assert.match(review, /Server port/);
  const published = await visitor.post("/admin/publish", { "ids[0]": id, note: "" });
  assert.equal(published.status, 303, published.text);
  await until(async () => await statusOf() === 200, "the website to be live", 1000);
  assert.match(await visitor.open("/admin/websites"), /Live/);

  // Of two who change it at once, the second is told.
  const fields = {
    frontend_host: "www.example.org",
    backend_protocol: "https",
    server_host: "127.0.0.1",
    server_port: "443",
    version: "1",
  };
  assert.equal((await visitor.post(path, fields)).status, 303);
  const stale = await visitor.post(path, fields);
  assert.equal(stale.status, 412);
  assert.match(stale.text, /was changed in the meantime/);
  assert.match(await visitor.open("/admin/publish"), /Backend protocol/);

  assert.match(await visitor.open(`${path}/delete`), /It is live/);
  const deleted = await visitor.post(`${path}/delete`, { version: "2" });
  assert.equal(deleted.location, "/admin/websites?done=deleted");
  assert.match(await visitor.open(deleted.location), /Deleted/);
  assert.equal((await visitor.post("/admin/publish", { "ids[0]": id, note: "" })).status, 303);
  await until(async () => await statusOf() === 404, "the deletion to be live", 1000);
});

Deno.test("a host that has a website already is refused beside its field", async () => {
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const site = { frontend_host: "www.example.org", server_host: "127.0.0.1", server_port: 80 };
  await admin.expect(201, "POST", "/website_backends", site);
  const visitor = await Visitor.signIn(portico);
  const again = await visitor.post("/admin/websites/new", {
    ...site,
    server_port: "80",
    backend_protocol: "http",
  });
  assert.equal(again.status, 422);
  assert.match(again.text, /Frontend host is already taken/);
});
